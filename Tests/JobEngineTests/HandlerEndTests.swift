import JobEngine
import JobModel
import Testing

/// Ends of Swift handlers, which a process's exit status doesn't tell.
@Suite("How the runs of handlers end")
struct HandlerEndTests {
  private func runner(
    _ behaviour: Behaviour, _ change: (inout JobDefinition) -> Void = { _ in }
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner([
      job(every: .seconds(86_400)) {
        $0.action = .handler("com.example.job")
        $0.timeLimit = .seconds(5)
        $0.expirationGrace = .seconds(1)
        change(&$0)
      }
    ])
    runner.host.script = { _, _ in behaviour }
    try runner.start()
    return runner
  }

  @Test func `a handler that returns has succeeded`() throws {
    let runner = try runner(Behaviour(takes: .seconds(1), completion: .succeeded))
    runner.run(for: .seconds(2))
    #expect(try runner.outcomes() == [.succeeded])
    #expect(try runner.history().map(\.reason) == [nil])
  }

  @Test(arguments: [
    Reason.handlerThrew, .handlerMissing, .neverCompleted, .protocolError,
  ])
  func `an end without success is failed with its reason and text`(reason: Reason) throws {
    let runner = try runner(
      Behaviour(takes: .seconds(1), completion: .failed(reason, detail: "what happened")))
    runner.run(for: .seconds(2))
    #expect(try runner.outcomes() == [.failed])
    #expect(try runner.history().map(\.reason) == [reason])
    #expect(try runner.history().map(\.detail) == ["what happened"])
  }

  @Test func `LC9: a handler that throws uses up its attempt`() throws {
    let runner = try runner(
      Behaviour(takes: .seconds(1), completion: .failed(.handlerThrew, detail: "no"))
    ) {
      $0.retry.maxAttempts = 2
      $0.retry.initialDelay = .seconds(1)
    }
    runner.run(for: .seconds(10))
    #expect(try runner.history().map(\.attempt).sorted() == [1, 2])
  }

  @Test func `ST4: a handler that returns after the warning has succeeded, the reason is kept`()
    throws
  {
    var tidy = Behaviour.runsForEver
    tidy.onWarning = .completes(.succeeded)
    let runner = try runner(tidy)
    runner.run(for: .seconds(10))
    #expect(try runner.outcomes() == [.succeeded])
    #expect(try runner.history().map(\.reason) == [.timeLimit])
  }

  @Test func `ST4: a handler that throws after the warning is expired`() throws {
    var cancelled = Behaviour.runsForEver
    cancelled.onWarning = .completes(.failed(.handlerThrew, detail: "CancellationError()"))
    let runner = try runner(cancelled)
    runner.run(for: .seconds(10))
    #expect(try runner.outcomes() == [.expired])
    #expect(try runner.history().map(\.reason) == [.timeLimit])
    #expect(try runner.history().map(\.detail) == [nil])
  }

  @Test(arguments: [
    (HandlerCompletion.failed(.handlerThrew, detail: "CancellationError()"), Outcome.expired),
    (.succeeded, .succeeded),
  ])
  func `LC4, ST4: one that its host warned of the limit before the engine did has its reason`(
    completion: HandlerCompletion, outcome: Outcome
  ) throws {
    let runner = try runner(.runsForEver)
    runner.run(for: .seconds(1))
    var ending = RunEnding()
    ending.completion = completion
    ending.hasReachedLimit = true
    runner.deliver(.host(.ended(RunNumber(1), ending)))
    runner.run(for: .seconds(1))
    #expect(try runner.outcomes() == [outcome])
    #expect(try runner.history().map(\.reason) == [.timeLimit])
    #expect(try runner.history().map(\.detail) == [nil])
  }

  @Test func `ST4: success counts even where what the run left behind had to be killed`() throws {
    let runner = try runner(.runsForEver)
    runner.run(for: .seconds(1))
    var ending = RunEnding()
    ending.completion = .succeeded
    ending.signal = 9
    runner.deliver(.host(.ended(RunNumber(1), ending)))
    runner.run(for: .seconds(1))
    #expect(try runner.outcomes() == [.succeeded])
  }
}
