import JobModel
import Runner

/// What `submit` and `start` share: a request is judged by the engine's rules and stored.
struct Submitting {
  private let workplace: Workplace
  private let invocation: Invocation

  init(_ workplace: Workplace, _ invocation: Invocation) {
    self.workplace = workplace
    self.invocation = invocation
  }

  /// Stores a request; it is durable when this returns (SB8).
  ///
  /// - Throws: the sentence of the rule that refuses it (SB6).
  func store(
    _ identifier: JobIdentifier, isUserInitiated: Bool
  ) throws(CommandFailure) -> RequestDesk.Stored {
    guard let jobs = workplace.jobs else {
      throw .notDone(
        "no manifest is known for the store in \(workplace.folder)",
        advice: "Name it with --manifest PATH.")
    }
    var request = SubmissionRequest(identifier: identifier)
    request.key = invocation.arguments.text(.key) ?? ""
    request.isUserInitiated = isUserInitiated
    request.parameters = try parameters(over: jobs.definition(for: identifier)?.parameters)
    guard let store = workplace.store else {
      throw .fault("a request was submitted without a store")
    }
    let desk = RequestDesk(store, jobs, at: invocation.context.now().wall) {
      [workplace, invocation] in
      try? MachineConditions.read(folder: workplace.folder, paths: [], in: invocation.context)
    }
    do throws(RequestDesk.Failure) {
      return try desk.submit(request)
    } catch {
      switch error {
      case .refused(let refusal): throw self.refusal(refusal)
      case .store(let failure): throw .store(failure)
      }
    }
  }

  /// `--with` over the manifest's parameters; nil leaves those as they are.
  private func parameters(over manifest: String?) throws(CommandFailure) -> String? {
    let given = invocation.arguments.parameters(.with)
    guard !given.isEmpty else { return nil }
    var members: [JSONValue.Member] = []
    if let manifest {
      guard case .object(let declared)? = JSONValue(parsing: manifest) else {
        throw .fault("the manifest's parameters aren't a JSON object: \(manifest)")
      }
      members = declared
    }
    for (name, value) in given {
      members.removeAll { $0.name == name }
      members.append(.init(name, value))
    }
    return JSONValue.object(members).text()
  }

  private func refusal(_ error: SubmissionError) -> CommandFailure {
    var advice: String?
    if !error.pending.isEmpty {
      var table = TextTable([
        ("JOB", .left), ("KEY", .left), ("SUBMITTED", .left), ("DUE", .left),
      ])
      for request in error.pending.prefix(20) {
        table.add([
          .init(request.identifier.text), .init(request.key),
          .init(invocation.instants.local(request.submittedAt)),
          .init(invocation.instants.relative(request.notBefore)),
        ])
      }
      advice = table.lines(invocation.errorStyle).joined(separator: "\n")
    }
    return .notDone("\(error.sentence) [\(error.name)]", advice: advice)
  }
}
