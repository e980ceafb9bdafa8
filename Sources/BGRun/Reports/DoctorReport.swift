import JobModel
import LinuxSystem

/// What this machine is to a runner: its conditions with their sources, how runs are contained, and
/// whether its clock can be right.
struct DoctorReport {
  /// One condition, in the words of its source.
  struct Condition {
    /// The manifest's key.
    var name: String
    var value: String
    var source: String
    /// When the value last changed, as far as somebody has watched it.
    var since: WallInstant?
    var trust: Trust
    /// What follows from the value, where that isn't plain.
    var note: String?
  }

  /// How far a value is to be believed.
  enum Trust: String {
    case known
    /// No source knows; the value lets work go on (PL1).
    case assumed
    /// The source is gone; this is what it said last.
    case stale
  }

  /// Whether scheduled instants can rely on the clock (PL15).
  struct Clock {
    /// Whether the kernel reports it as synchronised; nil where it doesn't say.
    var isSynchronised: Bool?
    /// Before this instant no clock is right.
    var earliestPlausible: WallInstant
    var reads: WallInstant

    var isPlausible: Bool { reads >= earliestPlausible }
  }

  /// How strong the guarantee is that a run leaves nothing behind (LC5).
  enum Containment {
    /// Each run has a control group of its own below this folder.
    case controlGroup(folder: String)
    /// A supervisor adopts and kills what a run leaves behind.
    case supervisor

    var name: String {
      switch self {
      case .controlGroup: "control group"
      case .supervisor: "supervisor"
      }
    }

    var explanation: String {
      switch self {
      case .controlGroup(let folder): "each run has a group of its own below \(folder)"
      case .supervisor: "no control group can be made here; a process above each run kills its rest"
      }
    }
  }

  var conditions: [Condition]
  var containment: Containment
  /// Whether the kernel tells of a shortage of memory, for which continued tasks give way (CP4).
  var tellsMemoryPressure: Bool
  var clock: Clock
  /// The runner that watches this machine; nil when the conditions were read just now.
  var runner: (processID: Int32, host: String)?
  /// What should be looked after, in sentences.
  var findings: [String]

  /// The documented object.
  var json: JSONValue {
    .object([
      .init("conditions", .array(conditions.map(Self.json))),
      .init(
        "containment",
        .object([
          .init("level", .text(containment.name)), .init("text", .text(containment.explanation)),
        ])),
      .init("memoryPressure", .bool(tellsMemoryPressure)),
      .init(
        "clock",
        .object([
          .init("synchronised", .optional(clock.isSynchronised) { .bool($0) }),
          .init("plausible", .bool(clock.isPlausible)),
          .init("reads", InstantText.json(clock.reads)),
          .init("earliestPlausible", InstantText.json(clock.earliestPlausible)),
        ])),
      .init(
        "runner",
        .optional(runner) {
          .object([
            .init("process", .integer(Int($0.processID))), .init("host", .text($0.host)),
          ])
        }),
      .init("findings", .array(findings.map { .text($0) })),
    ])
  }

  private static func json(_ condition: Condition) -> JSONValue {
    .object([
      .init("condition", .text(condition.name)), .init("value", .text(condition.value)),
      .init("source", .text(condition.source)), .init("trust", .text(condition.trust.rawValue)),
      .init("since", .optional(condition.since, InstantText.json)),
      .init("note", .optional(condition.note) { .text($0) }),
    ])
  }

  func lines(_ instants: InstantText, _ style: TextStyle) -> [String] {
    var table = TextTable([
      ("CONDITION", .left), ("VALUE", .left), ("SOURCE", .left), ("LAST CHANGED", .left),
    ])
    for condition in conditions {
      let source: TextTable.Cell =
        switch condition.trust {
        case .known: .init(condition.source)
        case .assumed: .init("ASSUMED: nothing here knows", .yellow)
        case .stale: .init("\(condition.source), STALE: it is gone", .yellow)
        }
      table.add([
        .init(condition.name), .init(condition.value), source,
        .init(condition.since.map(instants.relative) ?? ""),
      ])
    }
    let watcher =
      runner.map { "As process \($0.processID) on \($0.host), which is running, sees it:" }
      ?? "As read just now; no runner is alive to say since when:"
    var lines = [watcher] + table.lines(style)
    lines += conditions.compactMap { condition in
      condition.note.map { "\(condition.name): \($0)" }
    }
    lines += ["", "Containment: \(containment.name) (\(containment.explanation))"]
    lines.append(
      "Memory: "
        + (tellsMemoryPressure
          ? "under pressure continued tasks give way, the one with the least recent progress first"
          : "this kernel doesn't tell of pressure (\(MemoryPressure.file)), so no continued task gives "
            + "way to it"))
    lines.append("Clock: \(clockText), it reads \(instants.local(clock.reads))")
    if !findings.isEmpty { lines.append("") }
    return lines + findings.map { style.apply(.yellow, to: "! ") + $0 }
  }

  private var clockText: String {
    guard clock.isPlausible else { return "wrong" }
    return switch clock.isSynchronised {
    case true?: "synchronised"
    case false?: "plausible, not synchronised"
    case nil: "plausible"
    }
  }
}
