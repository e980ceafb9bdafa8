import JobModel
import Testing

@Suite("Every store: submissions") struct SubmissionConformanceTests {
  @Test(arguments: StoreKind.allCases)
  func `SB1: submitting again replaces the unstarted request of the key`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let first = try store.submit(.of(key: "a"))
    let verdict = try store.propose(.submit(.of(key: "a")))
    guard case .applied(.submitted(let second, replaced: first)) = verdict else {
      throw Unexpected("\(verdict)")
    }
    let snapshot = try store.snapshot()
    #expect(snapshot.heads.map(\.id) == [second])
    #expect(snapshot.pendingCount == 1)
    let row = try #require(try store.history(of: .thumbnails, limit: nil).first)
    #expect(row.outcome == .cancelled)
    #expect(row.reason == .replaced)
    #expect(row.run == nil)
    #expect(row.submittedAt == .noon)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: requests with other keys stand beside each other`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let requests = try ["", "a", "b"].map { try store.submit(.of(key: $0)) }
    #expect(try store.snapshot().heads.map(\.id) == requests)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: a submission while its key runs waits and is no head`(_ kind: StoreKind) throws {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    for key in ["", "a"] {
      let run = try store.claim(try store.submit(.of(key: key)), by: owner)
      let waiting = try store.submit(.of(key: key))
      #expect(try store.snapshot().heads == [])
      #expect(try store.snapshot().pendingCount == 1)
      #expect(try store.pending(of: .thumbnails, limit: 9).map(\.id) == [waiting])
      #expect(try store.propose(.end(.of(run, by: owner))) == .applied(.done))
      #expect(try store.snapshot().heads.map(\.id) == [waiting])
      let all = Cancellation(identifier: .thumbnails, key: nil, reason: .userCancelled, at: .noon)
      #expect(try store.propose(.cancel(all)) == .applied(.counted(1)))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: a submission removes neither an instant nor a waiting retry`(_ kind: StoreKind) throws
  {
    let world = try kind.make()
    let store = try world.handle()
    let owner = try world.join()
    let retried = try store.submit(.of())
    let run = try store.claim(retried, by: owner)
    let again = RunEnd.Disposition.again(
      notBefore: .noon, floor: .retryDelay, attempt: 2, returnsInRow: 0)
    _ = try store.propose(.end(.of(run, by: owner, outcome: .failed, next: again)))
    _ = try store.propose(.submit(.instant(.noon, of: .thumbnails)))
    _ = try store.submit(.of())
    let last = try store.submit(.of())
    #expect(try store.snapshot().pendingCount == 3)
    #expect(try store.snapshot().heads.map(\.id).contains(retried))
    #expect(try store.snapshot().heads.map(\.id).contains(last))
  }

  @Test(arguments: StoreKind.allCases)
  func `SB2: one request more than the limit of its kind is refused with the count`(
    _ kind: StoreKind
  ) throws {
    let store = try kind.make().handle()
    _ = try store.submit(.of(.thumbnails))
    _ = try store.submit(.of(.backup))
    var third = Submission.of(key: "third")
    third.pendingLimit = 2
    #expect(try store.propose(.submit(third)) == .refused(.tooManyPending(2)))
    #expect(try store.snapshot().pendingCount == 1)
    third.kind = .appRefresh
    third.pendingLimit = 1
    _ = try store.submit(third)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB2: a replacement doesn't count as one more`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    var submission = Submission.of()
    submission.pendingLimit = 1
    _ = try store.submit(submission)
    _ = try store.submit(submission)
    #expect(try store.snapshot().pendingCount == 1)
  }

  @Test(arguments: StoreKind.allCases)
  func `PL16: the same successes of the predecessors submit once`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    var submission = Submission.of()
    submission.origin = .predecessors(.noon)
    _ = try store.submit(submission)
    #expect(try store.propose(.submit(submission)) == .refused(.instantExists))
    submission.origin = .predecessors(.noon + .seconds(1))
    _ = try store.submit(submission)
    #expect(try store.snapshot().pendingCount == 2)
  }

  @Test(arguments: StoreKind.allCases)
  func `ST3: a request keeps everything that it was submitted with`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    for strategy in SubmissionStrategy.allCases.map(Optional.some) + [nil] {
      for network in NetworkRequirement.allCases {
        var submission = Submission.of(key: "κλειδί \u{0} '")
        submission.kind = .continuedProcessing
        submission.floor = .earliestBegin
        submission.gateClass.requiresExternalPower = network != .any
        submission.gateClass.network = network
        submission.gateClass.requiredResources = strategy == .fail ? [.gpu] : []
        submission.gateClass.strategy = strategy
        submission.gateClass.isImmediate = strategy == nil
        submission.parameters = #"{"a": "b"}"#
        submission.title = "Title"
        submission.subtitle = ""
        submission.isUserInitiated = strategy == .skip
        let id = try store.submit(submission)
        #expect(try store.snapshot().heads == [RequestRecord(id: id, submission)])
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `heads are the first of each gate class in due order`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    var expected: [RequestID] = []
    for seconds in [30, 10, 20] {
      var submission = Submission.of(key: "\(seconds)", after: .seconds(seconds))
      let plain = try store.submit(submission)
      submission.key += "-power"
      submission.gateClass.requiresExternalPower = true
      let powered = try store.submit(submission)
      if seconds == 10 { expected = [plain, powered] }
    }
    let snapshot = try #require(try store.snapshots(of: [.thumbnails], headLimit: 1).first)
    #expect(snapshot.heads.map(\.id) == expected)
    #expect(snapshot.pendingCount == 6)
    #expect(try store.pending(of: nil, limit: 2).map(\.id) == expected)
  }

  @Test(arguments: StoreKind.allCases)
  func `SB1: the empty key and the others share one limit of heads`(_ kind: StoreKind) throws {
    let store = try kind.make().handle()
    let keyed = try store.submit(.of(key: "a", after: .seconds(2)))
    let unkeyed = try store.submit(.of(after: .seconds(1)))
    _ = try store.submit(.of(key: "b", after: .seconds(3)))
    let snapshot = try #require(try store.snapshots(of: [.thumbnails], headLimit: 2).first)
    #expect(snapshot.heads.map(\.id) == [unkeyed, keyed])
  }
}
