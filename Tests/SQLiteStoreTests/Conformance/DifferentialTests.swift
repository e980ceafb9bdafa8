import JobModel
import StoreConformance
import Testing

@Suite("Every store: the same history, the same state") struct DifferentialTests {
  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `a random sequence of transitions ends alike in memory and in SQLite`(
    _ seed: UInt64
  ) throws {
    let worlds = try StoreKind.allCases.map { try $0.make() }
    let stores = try worlds.map { try $0.handle() }
    var random = SplitMix(state: seed)
    var owners = try worlds.map { [try $0.join(), try $0.join()] }
    for step in 0..<120 {
      let now = WallInstant.noon + .seconds(step)
      let alive = owners[0].indices.filter { !owners[0].isEmpty && $0 < owners[0].count }
      let index = try #require(alive.randomElement(using: &random))
      if random.chance(oneIn: 15) {
        let heir = try worlds.map { try $0.join() }
        for (place, world) in worlds.enumerated() {
          world.kill(owners[place][index])
          owners[place].append(heir[place])
        }
        let adopted = try stores.indices.map {
          try stores[$0].adopt(owners[$0][index], by: heir[$0])
        }
        #expect(adopted[0] == adopted[1])
        for place in worlds.indices where random.state % 2 == 0 { owners[place].remove(at: index) }
      }
      var generator = TransitionGenerator(
        random: random, fences: owners[0].map(\.fence),
        anchors: try stores[0].snapshots(of: nil, headLimit: 1).map(\.record), now: now)
      let batch = (0..<random.upTo(4)).map { _ in generator.next() }
      random = generator.random
      let reports = stores.map { $0.commit(batch, at: now, headLimit: 3) }
      #expect(reports[0] == reports[1], "step \(step): \(batch)")
    }
    for limit in [1, 3, 500] {
      #expect(
        try stores[0].snapshots(of: nil, headLimit: limit)
          == stores[1].snapshots(of: nil, headLimit: limit))
      #expect(
        try stores[0].pending(of: nil, limit: limit) == stores[1].pending(of: nil, limit: limit))
      #expect(
        try stores[0].history(of: nil, limit: limit) == stores[1].history(of: nil, limit: limit))
    }
    #expect(try stores[0].lastRecordedTime() == stores[1].lastRecordedTime())
    for revision in stride(from: Int64(0), to: 200, by: 20) {
      #expect(
        try stores[0].changes(since: Revision(revision)).1
          == stores[1].changes(since: Revision(revision)).1)
    }
    #expect(
      try stores[0].owners().map { [$0.owner.fence: $0.isAlive] }
        == stores[1].owners().map { [$0.owner.fence: $0.isAlive] })
  }
}

/// The splitmix64 sequence: the same numbers on every machine.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(oneIn count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }

  /// 1…`most`.
  mutating func upTo(_ most: Int) -> Int { Int.random(in: 1...most, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }
}

/// Transitions of which some fit what is there and some don't.
struct TransitionGenerator {
  var random: SplitMix
  let fences: [Fence]
  let anchors: [JobRecord]
  let now: WallInstant

  private static let identifiers = [
    JobIdentifier.thumbnails, .backup, JobIdentifier("com.example.c"),
  ]

  mutating func next() -> Transition {
    let identifier = random.pick(Self.identifiers)
    let request = RequestID(Int64(random.upTo(90)))
    let run = RunNumber(Int64(random.upTo(40)))
    let fence = random.pick(fences)
    switch random.upTo(19) {
    case 1, 2, 3: return .submit(submission(of: identifier))
    case 4, 5: return .recordInstants(recording(of: identifier))
    case 6, 7, 8:
      return .claim(
        Claim(
          request: request, identifier: identifier, owner: fence, startedAt: now,
          isLease: random.chance(oneIn: 2)))
    case 9, 10: return .end(end(of: run, by: fence))
    case 11:
      let expiring = RunRecord.Expiring(
        reason: random.pick(Reason.allCases), since: now, graceEnds: now + .seconds(1))
      return .beginExpiring(BeginExpiring(run: run, owner: fence, expiring: expiring))
    case 12:
      return random.chance(oneIn: 2)
        ? .requestStop(
          StopRequest(run: run, reason: random.pick([.userCancelled, .progressStalled])))
        : .progress(
          ProgressRecording(
            run: run, owner: fence, fraction: random.chance(oneIn: 2) ? 0.5 : nil, title: "T",
            subtitle: nil))
    case 13:
      return .cancel(
        Cancellation(
          identifier: identifier, key: random.pick([nil, "", "a", "b"]), reason: .userCancelled,
          at: now))
    case 14:
      return random.chance(oneIn: 2)
        ? .decide(request)
        : .close(
          RequestClosing(
            request: request, outcome: .skipped, reason: .strategySkip, detail: "network",
            at: now))
    case 15:
      return .switchJob(
        JobSwitch(identifier: identifier, isEnabled: random.chance(oneIn: 2), at: now))
    case 16:
      return random.chance(oneIn: 2)
        ? .goOnWaiting(run)
        : .stall(
          StallRecording(run: run, owner: fence, since: random.pick([nil, now - .seconds(30)])))
    case 17, 18:
      return random.chance(oneIn: 3)
        ? .begin(RunStart(run: run, owner: fence, startedAt: now))
        : .release(RunRelease(run: run, owner: fence, at: now))
    default:
      return random.chance(oneIn: 3)
        ? .resetRecordedTime(now - .seconds(random.upTo(50)))
        : .prune(identifier, endedBefore: now - .seconds(random.upTo(30)))
    }
  }

  private mutating func submission(of identifier: JobIdentifier) -> Submission {
    var submission = Submission(
      identifier: identifier, kind: random.pick(JobKind.allCases), submittedAt: now)
    submission.key = random.pick(["", "a", "b", "ü"])
    submission.notBefore = now + .seconds(random.upTo(20))
    submission.gateClass.network = random.pick(NetworkRequirement.allCases)
    submission.gateClass.strategy = random.pick([nil, .queue, .skip])
    submission.pendingLimit = random.pick([nil, nil, 5])
    if random.chance(oneIn: 5) {
      submission.origin = .predecessors(.noon + .seconds(random.upTo(20)))
    }
    return submission
  }

  private mutating func recording(of identifier: JobIdentifier) -> InstantRecording {
    let anchor = anchors.first { $0.identifier == identifier }?.anchor
    var recording = InstantRecording(
      identifier: identifier, expectedAnchor: random.chance(oneIn: 5) ? now : anchor,
      newAnchor: now, scheduleFingerprint: "every", recordedAt: now)
    for _ in 0..<random.upTo(3) {
      var submission = Submission.of(identifier)
      submission.origin = .instant(.noon + .seconds(random.upTo(300)))
      submission.notBefore = now
      recording.requests.append(submission)
    }
    if random.chance(oneIn: 3) {
      recording.superseded = [RequestID(Int64(random.upTo(90)))]
      recording.skipped = SkippedInstants(count: 2, reason: .missed, last: now)
    }
    return recording
  }

  private mutating func end(of run: RunNumber, by fence: Fence) -> RunEnd {
    let next: RunEnd.Disposition =
      random.chance(oneIn: 2)
      ? .final
      : .again(
        notBefore: now + .seconds(random.upTo(5)), floor: .retryDelay, attempt: 2,
        returnsInRow: random.upTo(3))
    var end = RunEnd(
      run: run, owner: fence, endedAt: now, outcome: random.pick(Outcome.allCases),
      reason: random.pick([nil, .timeLimit]), next: next)
    end.startedAt = random.pick([nil, now - .seconds(1)])
    end.ending.exitStatus = random.pick([nil, 0, 75])
    end.ending.cpuTime = random.pick([nil, .nanoseconds(1_234_567_891)])
    return end
  }
}
