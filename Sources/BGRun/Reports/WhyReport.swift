import JobEngine
import JobModel

/// The gates of one job for programs and for people (PL13).
struct WhyReport {
  var status: JobStatus
  var live: [RunRecord]
  /// Each pending request, or what would bring the next one, with its gates.
  var waits: [Wait]

  /// Something that waits, and every gate that it has to pass.
  struct Wait {
    enum Subject {
      case request(RequestRecord)
      case nextInstant
      case successOfOthers
    }

    var subject: Subject
    /// In each runner.
    var gatesOfRunners: [GatesOfRunner<GateVerdict>]

    /// Those of the runner that is nearest to starting it.
    var gates: [GateVerdict] { gatesOfRunners.nearest }
  }

  /// The documented object; `gates` are those of the request that starts first, `requests` has all.
  /// Of several runners that is the one that is nearest to the start, and `runners` has each.
  var json: JSONValue {
    let runners = waits.first?.gatesOfRunners.map(\.runner) ?? []
    var members: [JSONValue.Member] = [
      .init("identifier", .text(status.identifier.text)),
      .init("state", .text(status.state.rawValue)),
    ]
    members += waiting(\.gates)
    if runners.count > 1 {
      members.append(
        .init("runners", .array(runners.indices.map { json(of: runners[$0], at: $0) })))
    }
    return .object(members)
  }

  private func json(of runner: Owner?, at index: Int) -> JSONValue {
    .object(
      [
        .init("process", .optional(runner) { .integer($0.processID) }),
        .init("host", .optional(runner) { .text($0.host) }),
      ] + waiting { $0.gatesOfRunners[index].gates })
  }

  /// The gates as one runner has them.
  private func waiting(_ gates: (Wait) -> [GateVerdict]) -> [JSONValue.Member] {
    [
      .init("gates", .array((waits.first.map(gates) ?? []).map(Self.json))),
      .init(
        "requests",
        .array(
          waits.compactMap { wait in
            guard case .request(let request) = wait.subject else { return nil }
            return Self.json(request, gates: gates(wait))
          })),
    ]
  }

  private static func json(_ request: RequestRecord, gates: [GateVerdict]) -> JSONValue {
    .object([
      .init("key", .text(request.key)),
      .init("attempt", .integer(request.attempt)),
      .init("submittedAt", InstantText.json(request.submittedAt)),
      .init("scheduledAt", InstantText.json(request.scheduledAt)),
      .init("gates", .array(gates.map(json))),
    ])
  }

  private static func json(_ verdict: GateVerdict) -> JSONValue {
    .object([
      .init("gate", .text(verdict.gate.rawValue)),
      .init("met", .bool(verdict.isMet)),
      .init("since", .optional(verdict.since, InstantText.json)),
      .init("value", .text(verdict.value)),
      .init(
        "opens",
        .object([
          .init("text", verdict.opens.isEmpty ? .null : .text(verdict.opens)),
          .init("at", .optional(verdict.opensAt, InstantText.json)),
        ])),
    ])
  }

  func lines(_ instants: InstantText, _ style: TextStyle) -> [String] {
    var lines = ["\(style.apply(.bold, to: status.identifier.text)) is \(status.state.rawValue)"]
    lines += live.map { run in
      let expiring = run.expiring.map {
        ", stopping since \(instants.local($0.since)): \($0.reason.rawValue)"
          + ($0.graceEnds < instants.now ? "; its grace is over" : "")
      }
      return "Run \(run.run) has been running since \(instants.local(run.startedAt))"
        + (expiring ?? "")
    }
    if waits.isEmpty, live.isEmpty {
      // CP1.
      let command = status.kind == .continuedProcessing ? "start" : "submit"
      lines.append("Nothing is pending and it has no schedule: 'bgrun \(command)' asks for a run.")
    }
    for wait in waits {
      for view in wait.gatesOfRunners {
        // One runner is named by its gate.
        let place = wait.gatesOfRunners.count > 1 ? view.runner?.place : nil
        lines.append("")
        lines.append(
          Self.heading(of: wait.subject, view.gates, for: place.map { ", for \($0)" }, instants))
        lines += Self.table(view.gates, instants).lines(style)
      }
    }
    return lines
  }

  private static func heading(
    of subject: Wait.Subject, _ gates: [GateVerdict], for place: String?, _ instants: InstantText
  ) -> String {
    let unmet = gates.count { !$0.isMet }
    let verdict =
      switch unmet {
      case 0: "every gate is open"
      case 1: "1 gate is shut"
      default: "\(unmet) gates are shut"
      }
    let name =
      switch subject {
      case .nextInstant: "The next scheduled instant"
      case .successOfOthers: "The run that follows other jobs"
      case .request(let request): name(of: request, instants)
      }
    return "\(name)\(place ?? ""): \(verdict)"
  }

  private static func name(of request: RequestRecord, _ instants: InstantText) -> String {
    let key = KeyText.phrase(request.key)
    let origin =
      switch request.origin {
      case .submission: "The request\(key) of \(instants.local(request.submittedAt))"
      case .instant(let instant): "The instant \(instants.local(instant))"
      case .predecessors: "The request that follows its predecessors"
      }
    let attempt = request.attempt > 1 ? ", attempt \(request.attempt)" : ""
    return origin + attempt
  }

  private static func table(_ gates: [GateVerdict], _ instants: InstantText) -> TextTable {
    var table = TextTable([
      ("", .left), ("GATE", .left), ("FOUND", .left), ("SINCE", .left), ("OPENS WITH", .left),
    ])
    for gate in gates {
      let time = gate.opensAt.map { "\(instants.local($0)), \(instants.relative($0))" }
      let opens = [gate.opens.isEmpty ? nil : gate.opens, time].compactMap { $0 }
      table.add([
        .init(gate.isMet ? "open" : "shut", gate.isMet ? .green : .yellow),
        .init(gate.gate.rawValue),
        .init(gate.value),
        .init(gate.since.flatMap { $0 > instants.now ? nil : instants.relative($0) } ?? ""),
        .init(opens.joined(separator: ": ")),
      ])
    }
    return table
  }
}
