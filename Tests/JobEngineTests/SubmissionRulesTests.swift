import JobModel
import Testing

@testable import JobEngine

private let now = Now.start.wall

@Suite("What may be submitted")
struct SubmissionRulesTests {
  private let jobs = [
    job("com.example.refresh", kind: .appRefresh) { $0.earliestBegin = .seconds(60) },
    job("com.example.clean") { $0.isEnabled = false },
    job("com.example.export.*", kind: .continuedProcessing) {
      $0.strategy = .fail
      $0.conditions.requiresExternalPower = true
    },
    job("com.example.render", kind: .continuedProcessing) {
      $0.conditions.requiredResources = [.gpu]
    },
  ]

  private func rules(
    snapshot: JobSnapshot? = nil, device: DeviceState? = nil, continuedRuns: Int = 0
  ) -> SubmissionRules {
    var jobSet = JobSet(
      app: "com.example", concurrency: ConcurrencyLimits(total: 2), jobs: jobs, digest: "1")
    jobSet.pendingLimits.appRefresh = 1
    return SubmissionRules(
      jobSet: jobSet, snapshot: snapshot, device: device, continuedRuns: continuedRuns)
  }

  private func error(
    _ rules: SubmissionRules, _ identifier: JobIdentifier,
    _ change: (inout SubmissionRequest) -> Void = { _ in }
  ) -> SubmissionError? {
    var request = SubmissionRequest(identifier: identifier)
    change(&request)
    do throws(SubmissionError) {
      _ = try rules.submission(for: request, at: now)
      return nil
    } catch {
      return error
    }
  }

  @Test func `SB3: an unknown identifier is notPermitted, with the nearest one`() throws {
    let found = try #require(error(rules(), "com.example.refrehs"))
    #expect(found.code == .notPermitted)
    #expect(found.sentence.hasSuffix("did you mean com.example.refresh?"))
  }

  @Test func `CP8: a pattern is not a job`() throws {
    let found = try #require(error(rules(), "com.example.export.*"))
    #expect(found.code == .notPermitted)
    #expect(found.sentence.contains("com.example.export.NAME"))
  }

  @Test func `SB10: what is switched off is unavailable, and says by whom`() throws {
    #expect(error(rules(), "com.example.clean")?.sentence.contains("enabled: false") == true)
    var record = JobRecord(identifier: "com.example.refresh")
    record.disabledSince = now
    let snapshot = JobSnapshot(identifier: record.identifier, record: record)
    let found = try #require(error(rules(snapshot: snapshot), record.identifier))
    #expect(found.code == .unavailable)
    #expect(found.sentence.contains("bgrun enable com.example.refresh"))
  }

  @Test func `LC1: a request of another class than the manifest's kind is notPermitted`() {
    let found = error(rules(), "com.example.refresh") { $0.kind = .processing }
    #expect(found?.code == .notPermitted)
  }

  @Test func `CP1: continued processing starts only from a person's action`() {
    #expect(error(rules(), "com.example.export.a")?.code == .notPermitted)
    #expect(error(rules(), "com.example.export.a") { $0.isUserInitiated = true } == nil)
  }

  @Test func `CP7: a GPU that isn't there is notPermitted at submit`() {
    var device = DeviceState.assumed(at: now)
    #expect(
      error(rules(device: device), "com.example.render") { $0.isUserInitiated = true }?.code
        == .notPermitted)
    device.hasGPU.value = true
    #expect(error(rules(device: device), "com.example.render") { $0.isUserInitiated = true } == nil)
  }

  @Test func `SB7: fail is refused at once for an unmet condition, a full machine and a twin`()
    throws
  {
    let full = rules(device: .assumed(at: now), continuedRuns: 3)
    let battery = rules(device: onBattery())
    let request = RequestRecord(
      id: RequestID(1), identifier: "com.example.export.a", key: "", kind: .continuedProcessing,
      origin: .submission, submittedAt: now, notBefore: now)
    let twin = rules(
      snapshot: JobSnapshot(
        identifier: request.identifier, record: JobRecord(identifier: request.identifier),
        live: [RunRecord(run: RunNumber(4), request: request, owner: Fence(1), startedAt: now)]))
    for rules in [full, battery, twin] {
      let found = error(rules, "com.example.export.a") { $0.isUserInitiated = true }
      #expect(found?.code == .immediateRunIneligible)
    }
    // SB12: the request's own strategy wins.
    #expect(
      error(battery, "com.example.export.a") {
        $0.isUserInitiated = true
        $0.strategy = .queue
      } == nil)
  }

  @Test func `SB12: the later date wins, and conditions add up`() throws {
    var request = SubmissionRequest(identifier: "com.example.refresh")
    let manifests = try rules().submission(for: request, at: now)
    #expect(manifests.notBefore == now + .seconds(60))
    #expect(manifests.floor == .earliestBegin)
    request.earliestBegin = now + .seconds(600)
    request.network = .unmetered
    request.title = "its own"
    let own = try rules().submission(for: request, at: now)
    #expect(own.notBefore == now + .seconds(600))
    #expect(own.gateClass.network == .unmetered)
    #expect(own.title == "its own")
    request.earliestBegin = now - .seconds(600)
    #expect(try rules().submission(for: request, at: now).notBefore == now + .seconds(60))
  }

  @Test func `SB4: continued processing ignores the earliest date`() throws {
    var request = SubmissionRequest(identifier: "com.example.export.a")
    request.isUserInitiated = true
    request.earliestBegin = now + .seconds(600)
    #expect(try rules().submission(for: request, at: now).notBefore == now)
  }

  @Test func `SB2: the limit goes to the store, and its refusal shows what is pending`() throws {
    let submission = try rules().submission(
      for: SubmissionRequest(identifier: "com.example.refresh"), at: now)
    #expect(submission.pendingLimit == 1)
    let waiting = RequestRecord(
      id: RequestID(9), identifier: "com.example.refresh", key: "x", kind: .appRefresh,
      origin: .submission, submittedAt: now, notBefore: now)
    let error = SubmissionError.tooManyPending(submission, pending: [waiting])
    #expect(error.code == .tooManyPendingTaskRequests)
    #expect(error.pending == [waiting])
    #expect(error.sentence.contains("1 appRefresh request is pending"))
  }

  @Test func `SB6: codes and names are Apple's`() {
    #expect(
      SubmissionError.Code.allCases.map { "\($0) \($0.rawValue)" } == [
        "unavailable 1", "tooManyPendingTaskRequests 2", "notPermitted 3",
        "immediateRunIneligible 4",
      ])
    #expect(SubmissionError.domain == "BGTaskSchedulerErrorDomain")
  }
}
