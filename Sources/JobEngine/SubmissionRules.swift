package import JobModel

/// Whether a request may be stored, and as what (SB2–SB7, SB10, SB12, CP1, CP7, CP8).
package struct SubmissionRules: Sendable {
  package var jobSet: JobSet
  /// The identifier as the store has it; nil when it was never seen.
  package var snapshot: JobSnapshot?
  /// The conditions that a runner published; nil when no runner is alive, and nothing is known.
  package var device: DeviceState?
  /// Runs of continued tasks that have not ended.
  package var continuedRuns: Int

  package init(
    jobSet: JobSet, snapshot: JobSnapshot?, device: DeviceState?, continuedRuns: Int
  ) {
    self.jobSet = jobSet
    self.snapshot = snapshot
    self.device = device
    self.continuedRuns = continuedRuns
  }

  /// The submission to propose to the store.
  ///
  /// - Throws: `SubmissionError`, worded by its cause (SB6).
  package func submission(
    for request: SubmissionRequest, at now: WallInstant
  ) throws(SubmissionError) -> Submission {
    let job = try permitted(request)
    try checkSwitch(of: request.identifier, job)
    var submission = Submission(
      identifier: request.identifier, kind: job.kind, submittedAt: now)
    submission.key = request.key
    submission.gateClass.requiresExternalPower = request.requiresExternalPower
    submission.gateClass.network = request.network
    submission.gateClass.requiredResources = request.requiredResources
    submission.gateClass.strategy = request.strategy
    submission.parameters = request.parameters
    submission.title = request.title
    submission.subtitle = request.subtitle
    submission.isUserInitiated = request.isUserInitiated
    submission.pendingLimit =
      jobSet.pendingLimits.limit(for: job.kind)
      ?? (request.hasApplePendingLimits ? PendingLimits.apple.limit(for: job.kind) : nil)
    switch job.kind {
    case .continuedProcessing:
      try checkContinued(request, job, submission.gateClass, at: now)
    case .appRefresh, .processing:
      // SB12: the later date wins.
      submission.notBefore = max(now + job.earliestBegin, request.earliestBegin ?? now)
      submission.floor = submission.notBefore > now ? .earliestBegin : nil
    }
    return submission
  }

  /// Why an identifier isn't permitted, with the nearest one that is (SB3, CP8).
  static func notPermittedSentence(_ identifier: JobIdentifier, in jobSet: JobSet) -> String {
    if identifier.isWildcard, jobSet.jobs[identifier] != nil {
      let example = identifier.text.dropLast() + "NAME"
      return "\(identifier) is a pattern, not a job; name one that it covers, such as \(example)"
    }
    let nearest = SpellingDistance.nearest(
      to: identifier.text, among: jobSet.jobs.keys.map(\.text).sorted())
    return "\(identifier) is not permitted: the manifest has no such job"
      + (nearest.map { "; did you mean \($0)?" } ?? "")
  }
}

extension SubmissionRules {
  private func permitted(_ request: SubmissionRequest) throws(SubmissionError) -> JobDefinition {
    guard !request.identifier.isWildcard, let job = jobSet.definition(for: request.identifier)
    else {
      throw SubmissionError(
        .notPermitted, Self.notPermittedSentence(request.identifier, in: jobSet))
    }
    if let kind = request.kind, kind != job.kind {
      throw SubmissionError(
        .notPermitted,
        "\(request.identifier) is \(job.kind.rawValue) in the manifest, "
          + "so a \(kind.rawValue) request for it is not permitted")
    }
    return job
  }

  private func checkSwitch(
    of identifier: JobIdentifier, _ job: JobDefinition
  ) throws(SubmissionError) {
    if !job.isEnabled {
      throw SubmissionError(
        .unavailable, "\(identifier) is switched off in the manifest (enabled: false)")
    }
    if snapshot?.record.disabledSince != nil {
      throw SubmissionError(
        .unavailable,
        "\(identifier) is switched off; bgrun enable \(identifier) switches it on again")
    }
  }

  private func checkContinued(
    _ request: SubmissionRequest, _ job: JobDefinition, _ gateClass: GateClass,
    at now: WallInstant
  ) throws(SubmissionError) {
    let identifier = request.identifier
    guard request.isUserInitiated else {
      throw SubmissionError(
        .notPermitted,
        "\(identifier) is continuedProcessing: it starts only when a person asks for it in the "
          + "foreground, for example with bgrun start \(identifier)")
    }
    let required = job.conditions.tightened(by: gateClass)
    if required.requiredResources.contains(.gpu), let device, !device.hasGPU.value {
      throw SubmissionError(
        .notPermitted, "\(identifier) requires a GPU, and this machine has no render node")
    }
    guard (request.strategy ?? job.strategy) == .fail else { return }
    if let device, let unmet = required.firstUnmet(in: device, at: now) {
      throw SubmissionError(
        .immediateRunIneligible,
        "\(identifier) can't run at once: \(unmet.condition.rawValue) is not met "
          + "(\(unmet.value)); it needs \(unmet.opens)")
    }
    if let twin = snapshot?.live.first(where: { $0.request.key == request.key }) {
      throw SubmissionError(
        .immediateRunIneligible,
        "\(identifier) can't run at once: run \(twin.run) has the same key and goes on")
    }
    if continuedRuns >= jobSet.concurrency.continuedProcessing {
      throw SubmissionError(
        .immediateRunIneligible,
        "\(identifier) can't run at once: \(continuedRuns) continued tasks run, which is the "
          + "limit (concurrency.continuedProcessing)")
    }
  }
}
