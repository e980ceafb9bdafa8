import JobModel
import Testing

@testable import JobEngine

private func request(attempt: Int = 1, returns: Int = 0, isImmediate: Bool = false) -> RequestRecord
{
  var request = RequestRecord(
    id: RequestID(1), identifier: "com.example.job", key: "", kind: .processing,
    origin: .submission, submittedAt: Now.start.wall, notBefore: Now.start.wall)
  request.attempt = attempt
  request.returnsInRow = returns
  request.gateClass.isImmediate = isImmediate
  return request
}

/// One run of 100 s, with at most three attempts and delays of 30 s.
private func facts(
  _ happening: Ending.Happening, expiredBy reason: Reason? = nil,
  request: RequestRecord = request(), _ change: (inout Ending.Facts) -> Void = { _ in }
) -> Ending.Facts {
  var retry = RetryPolicy()
  retry.maxAttempts = 3
  retry.backoff = .constant
  retry.hasJitter = false
  var facts = Ending.Facts(
    request: request, retry: retry, startedAt: Now.start.wall,
    endedAt: Now.start.wall + .seconds(100),
    expiration: reason.map { Ending.Expiration(reason: $0) }, happening: happening)
  change(&facts)
  return facts
}

private func exited(_ status: Int32) -> Ending.Happening {
  .processesEnded(Behaviour.exits(status).ending)
}

private func signalled(_ signal: Int32, wasKilled: Bool = false) -> Ending.Happening {
  .processesEnded(Behaviour.killed(by: signal, wasKilled: wasKilled))
}

@Suite("How runs end")
struct EndingTests {
  @Test(arguments: [
    (exited(0), nil, Outcome.succeeded, nil as Reason?),
    (exited(0), Reason.timeLimit, .succeeded, .timeLimit),
    (exited(0), .shutdown, .succeeded, .shutdown),
    (exited(0), .userCancelled, .succeeded, .userCancelled),
    (exited(7), nil, .failed, .handlerExited),
    (exited(75), nil, .failed, .handlerExited),
    (signalled(11), nil, .crashed, .handlerSignalled),
    (exited(1), .timeLimit, .expired, .timeLimit),
    (signalled(15), .network, .expired, .network),
    (signalled(9, wasKilled: true), .memoryLimit, .terminated, .memoryLimit),
    (signalled(9, wasKilled: true), .shutdown, .interrupted, .shutdown),
    (signalled(15), .shutdown, .interrupted, .shutdown),
    (signalled(9, wasKilled: true), .userCancelled, .cancelled, .userCancelled),
    (exited(3), .userCancelled, .cancelled, .userCancelled),
    (.launchFailed("no such program"), nil, .failed, .launchFailed),
    (.ownerLost, nil, .interrupted, .ownerLost),
    (.neverLaunched, nil, .interrupted, .shutdown),
  ])
  func `ST4, ST5: outcome and reason follow from what happened`(
    happening: Ending.Happening, expiredBy: Reason?, outcome: Outcome, reason: Reason?
  ) {
    let ending = Ending(of: facts(happening, expiredBy: expiredBy))
    #expect(ending.outcome == outcome)
    #expect(ending.reason == reason)
  }

  @Test(arguments: [
    (exited(7), "exit status 7"), (signalled(11), "SIGSEGV"), (signalled(40), "signal 40"),
  ])
  func `ST5: the detail names the status or the signal`(
    happening: Ending.Happening, detail: String
  ) {
    #expect(Ending(of: facts(happening)).detail == detail)
  }

  @Test(arguments: [
    (exited(1), nil), (signalled(11), nil), (exited(1), Reason.timeLimit),
    (signalled(9, wasKilled: true), .memoryLimit), (signalled(15), .progressStalled),
    (.launchFailed("no such program"), nil),
  ])
  func `LC9: failures use up an attempt and are retried after the delay`(
    happening: Ending.Happening, expiredBy: Reason?
  ) {
    #expect(
      Ending(of: facts(happening, expiredBy: expiredBy)).next
        == .again(
          notBefore: Now.start.wall + .seconds(130), floor: .retryDelay, attempt: 2,
          returnsInRow: 0))
    let last = facts(happening, expiredBy: expiredBy, request: request(attempt: 3))
    #expect(Ending(of: last).next == .final)
  }

  @Test(arguments: [
    (signalled(15), Reason.requiresExternalPower), (signalled(15), .preempted),
    (signalled(15), .shutdown), (.ownerLost, nil), (exited(75), nil), (exited(75), .timeLimit),
    (.neverLaunched, nil),
  ])
  func `LC9: what a condition, a stop or the program itself puts back keeps its attempt`(
    happening: Ending.Happening, expiredBy: Reason?
  ) {
    #expect(
      Ending(of: facts(happening, expiredBy: expiredBy, request: request(attempt: 3))).next
        == .again(
          notBefore: Now.start.wall + .seconds(100), floor: .retryDelay, attempt: 3,
          returnsInRow: 1))
  }

  @Test func `LC9: at least initialDelay lies between two starts of work put back`() {
    let early = facts(exited(75)) { $0.endedAt = $0.startedAt + .seconds(2) }
    #expect(
      Ending(of: early).next
        == .again(
          notBefore: Now.start.wall + .seconds(30), floor: .retryDelay, attempt: 1,
          returnsInRow: 1))
  }

  @Test func `LC9: after three returns in a row, each further one uses an attempt`() {
    let fourth = Ending(of: facts(exited(75), request: request(attempt: 1, returns: 3)))
    #expect(
      fourth.next
        == .again(
          notBefore: Now.start.wall + .seconds(100), floor: .retryDelay, attempt: 2,
          returnsInRow: 4))
    #expect(Ending(of: facts(exited(75), request: request(attempt: 3, returns: 5))).next == .final)
  }

  @Test(arguments: [
    facts(exited(0)), facts(exited(0), expiredBy: .shutdown),
    facts(signalled(15), expiredBy: .userCancelled),
    facts(exited(1), request: request(isImmediate: true)),
    facts(signalled(15), expiredBy: .shutdown, request: request(isImmediate: true)),
    facts(exited(1)) { $0.isPermitted = false },
  ])
  func `LC9, PL19, SB11: success, cancellation, --now and a job that left are final`(
    facts: Ending.Facts
  ) {
    #expect(Ending(of: facts).next == .final)
  }

  @Test func `LC9: delays grow by their backoff up to maxDelay`() {
    var policy = RetryPolicy()
    policy.hasJitter = false
    policy.maxDelay = .seconds(200)
    func delays(_ backoff: RetryPolicy.Backoff) -> [Double] {
      policy.backoff = backoff
      return [1, 2, 3, 4, 100].map { policy.delay(after: $0, fraction: 0).inSeconds }
    }
    #expect(delays(.constant) == [30, 30, 30, 30, 30])
    #expect(delays(.linear) == [30, 60, 90, 120, 200])
    #expect(delays(.exponential) == [30, 60, 120, 200, 200])
  }

  @Test func `LC9: jitter spreads a delay over its upper half`() {
    let policy = RetryPolicy()
    #expect(policy.delay(after: 1, fraction: 0) == .seconds(15))
    #expect(policy.delay(after: 1, fraction: 1) == .seconds(30))
  }

  @Test func `delays of any length don't overflow`() {
    var policy = RetryPolicy()
    policy.initialDelay = .microseconds(Int64.max)
    policy.maxDelay = .microseconds(Int64.max)
    #expect(policy.delay(after: 100, fraction: 1) > .zero)
  }
}
