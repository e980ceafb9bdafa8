import JobModel
import Testing

@testable import JobEngine

private let now = Now.start.wall

@Suite("Gates, as why shows them")
struct GateTests {
  private func evaluation(
    of definition: JobDefinition?, live: [RunRecord] = [], ownRuns: Int = 0, poolRuns: Int = 0
  ) -> GateEvaluation {
    GateEvaluation(
      definition: definition, disabledSince: nil, device: onBattery(), live: live,
      ownRuns: ownRuns, poolRuns: poolRuns, poolLimit: 2, now: now)
  }

  private func request(
    _ origin: RequestOrigin = .submission, notBefore: WallInstant = now, floor: Reason? = nil
  ) -> RequestRecord {
    RequestRecord(
      id: RequestID(1), identifier: "com.example.job", key: "", kind: .processing,
      origin: origin, submittedAt: now - .seconds(60), notBefore: notBefore, floor: floor)
  }

  private func unmet(_ evaluation: GateEvaluation, _ request: RequestRecord) -> [Reason] {
    evaluation.verdicts(for: request).filter { !$0.isMet }.map(\.gate)
  }

  @Test func `PL13: every gate is listed, met or not, conditions before limits`() {
    let gates = evaluation(of: job { $0.conditions.requiresExternalPower = true })
      .verdicts(for: request())
    #expect(
      gates.map(\.gate)
        == [
          .notPermitted, .disabled, .requiresExternalPower, .maxRunning, .maxRunning, .concurrency,
        ])
    #expect(gates.filter { !$0.isMet }.map(\.gate) == [.requiresExternalPower])
    #expect(gates.allSatisfy { $0.isMet == $0.opens.isEmpty })
  }

  @Test func `PL13: a date says since when, and when it opens`() throws {
    let late = request(notBefore: now + .seconds(60), floor: .retryDelay)
    let gate = try #require(
      evaluation(of: job { $0.retry.maxDelay = .seconds(60) }).verdicts(for: late)
        .first { !$0.isMet })
    #expect(gate.gate == .retryDelay)
    #expect(gate.opensAt == now + .seconds(60))
    #expect(gate.since == now - .seconds(60))
  }

  @Test func `PL10: a retry dated by a clock that was set back since has waited enough`() {
    let far = request(notBefore: now + .seconds(90_000), floor: .retryDelay)
    #expect(unmet(evaluation(of: job()), far).isEmpty)
  }

  @Test func `SB10, SB11: switched off and no longer permitted are gates`() {
    #expect(unmet(evaluation(of: nil), request()) == [.notPermitted])
    #expect(unmet(evaluation(of: job { $0.isEnabled = false }), request()) == [.disabled])
  }

  @Test func `SB1: a run with the same key is gate maxRunning, and named`() throws {
    let twin = RunRecord(run: RunNumber(7), request: request(), owner: Fence(2), startedAt: now)
    let gate = try #require(
      evaluation(of: job(), live: [twin]).verdicts(for: request()).first { !$0.isMet })
    #expect(gate.gate == .maxRunning)
    #expect(gate.value.contains("run 7"))
  }

  @Test func `PL5: limits are gates`() {
    #expect(unmet(evaluation(of: job(), ownRuns: 1), request()) == [.maxRunning])
    #expect(unmet(evaluation(of: job(), poolRuns: 2), request()) == [.concurrency])
  }

  @Test func `PL6: from outside, an open window is a gate that the next wake opens`() throws {
    let gate = try #require(
      evaluation(of: job { $0.tolerance = .seconds(300) }).verdicts(for: request())
        .first { !$0.isMet })
    #expect(gate.gate == .tolerance)
    #expect(gate.opensAt == now + .seconds(300))
  }

  @Test func `PL15: a date waits for a clock that can be trusted, an interval doesn't`() {
    func gates(_ definition: JobDefinition) -> [Reason] {
      var evaluation = evaluation(of: definition)
      evaluation.isClockTrusted = false
      return unmet(evaluation, request(.instant(now)))
    }
    #expect(gates(job(cron: "0 3 * * *")) == [.clock])
    #expect(gates(job(every: .seconds(60))).isEmpty)
  }

  @Test func `PL16: why names the predecessors that are missing`() {
    let successes: [JobIdentifier: WallInstant] = [
      "com.example.a": now, "com.example.b": now - .seconds(100),
    ]
    let predecessors = Predecessors(
      ["com.example.a", "com.example.b", "com.example.c"], lastStart: now - .seconds(50)
    ) { successes[$0] }
    #expect(predecessors.missing == ["com.example.b", "com.example.c"])
    #expect(predecessors.verdict.isMet == false)
    #expect(predecessors.verdict.value.hasSuffix("com.example.b, com.example.c"))
  }
}

@Suite("Keys by rank")
struct PriorityIndexTests {
  @Test func `the smallest rank comes first, whatever changed before`() {
    var random = SeededGenerator(seed: 7)
    var index = PriorityIndex<Int, Int>()
    var ranks: [Int: Int] = [:]
    for _ in 0..<5000 {
      let key = Int.random(in: 0..<50, using: &random)
      let rank = random.chance(4) ? nil : Int.random(in: 0..<100, using: &random)
      index.set(rank, for: key)
      ranks[key] = rank
      let smallest = ranks.map { ($0.value, $0.key) }.min(by: <)
      #expect(index.first?.key == smallest?.1)
    }
    var order: [Int] = []
    while let key = index.popFirst(upTo: 100) { order.append(key) }
    #expect(order == ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key))
    #expect(index.isEmpty)
  }

  @Test func `nothing is taken beyond the limit`() {
    var index = PriorityIndex<Int, Int>()
    index.set(5, for: 1)
    #expect(index.popFirst(upTo: 4) == nil)
    #expect(index.popFirst(upTo: 5) == 1)
  }
}
