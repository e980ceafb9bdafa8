import JobEngine
import JobModel

/// What `submit` and `start` share: a request is judged by the engine's rules and stored.
struct Submitting {
  private let workplace: Workplace
  private let invocation: Invocation

  /// A request that the store holds.
  struct Stored {
    var id: RequestID
    var submission: Submission
    /// The unstarted one that it took the place of (SB1).
    var replaced: RequestID?
  }

  init(_ workplace: Workplace, _ invocation: Invocation) {
    self.workplace = workplace
    self.invocation = invocation
  }

  /// Stores a request; it is durable when this returns (SB8).
  ///
  /// - Throws: the sentence of the rule that refuses it (SB6).
  func store(
    _ identifier: JobIdentifier, isUserInitiated: Bool
  ) throws(CommandFailure) -> Stored {
    guard let jobs = workplace.jobs else {
      throw .notDone(
        "no manifest is known for the store in \(workplace.folder)",
        advice: "Name it with --manifest PATH.")
    }
    var request = SubmissionRequest(identifier: identifier)
    request.key = invocation.arguments.text(.key) ?? ""
    request.isUserInitiated = isUserInitiated
    request.parameters = try parameters(over: jobs.definition(for: identifier)?.parameters)
    let now = invocation.context.now().wall
    let submission = try submission(for: request, jobs, at: now)
    switch try workplace.commit([.submit(submission)], at: now).first {
    case .applied(.submitted(let id, let replaced)):
      return Stored(id: id, submission: submission, replaced: replaced)
    case .refused(.tooManyPending):
      let pending = try workplace.read { store throws(StoreFailure) in
        try store.pending(of: nil, limit: .max)
      }.filter { $0.kind == submission.kind }
      throw refusal(.tooManyPending(submission, pending: pending))
    case let verdict:
      throw .fault("the store answered a submission with \(String(describing: verdict))")
    }
  }

  private func submission(
    for request: SubmissionRequest, _ jobs: JobSet, at now: WallInstant
  ) throws(CommandFailure) -> Submission {
    let snapshots = try workplace.read { store throws(StoreFailure) in
      try store.snapshots(of: nil, headLimit: 1)
    }
    let rules = SubmissionRules(
      jobSet: jobs, snapshot: snapshots.first { $0.identifier == request.identifier },
      device: try device(for: jobs.definition(for: request.identifier)),
      continuedRuns: snapshots.flatMap(\.live).count { $0.request.kind == .continuedProcessing })
    do {
      return try rules.submission(for: request, at: now)
    } catch {
      throw refusal(error)
    }
  }

  /// The conditions as a runner sees them; without one, those of this machine are read for a job that
  /// needs a resource, which may not come by waiting (CP7).
  private func device(for job: JobDefinition?) throws(CommandFailure) -> DeviceState? {
    let owners = try workplace.read { store throws(StoreFailure) in try store.owners() }
    if let runner = owners.first(where: \.isAlive) { return runner.device }
    guard let job, !job.conditions.requiredResources.isEmpty else { return nil }
    return try MachineConditions.read(
      folder: workplace.folder, paths: [], in: invocation.context)
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
