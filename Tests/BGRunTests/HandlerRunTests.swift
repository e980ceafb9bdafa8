import BGRun
import FoundationEssentials
import JobModel
import Synchronization
import TaskHosts
import Testing

/// Runs of handlers without a process: what a handler is given, and what its run tells.
@Suite("A handler's run")
struct HandlerRunTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private struct Pair: Codable, Equatable {
    var a: Int
    var b: String
  }

  /// Runs a handler to its completion.
  private func complete(
    parameters: String = "{}", expiring reason: Reason? = nil,
    _ register: (HandlerRegistry) -> Void
  ) async throws -> HandlerCompletion {
    let registry = HandlerRegistry()
    register(registry)
    let entry = try #require(registry.entry(named: "h"))
    let (stream, continuation) = AsyncStream.makeStream(of: HandlerCompletion.self)
    let run = makeRun(
      parameters: parameters, completed: { completion, _ in continuation.yield(completion) })
    entry.start(run)
    if let reason { run.expire(reason) }
    for await completion in stream { return completion }
    throw CancellationError()
  }

  private func makeRun(
    parameters: String = "{}",
    report: @escaping @Sendable (HandlerProgress.Change) -> Void = { _ in },
    completed: @escaping @Sendable (HandlerCompletion, HandlerProgress) -> Void = { _, _ in }
  ) -> HandlerRun {
    HandlerRun(makeLaunch(parameters: parameters), report: report, completed: completed)
  }

  private func makeRun(
    canBeKilled: Bool = true,
    ended: @escaping @Sendable (HandlerRun, HandlerCompletion) -> Void
  ) -> HandlerRun {
    HandlerRun(makeLaunch(), canBeKilled: canBeKilled, report: { _ in }, ended: ended)
  }

  private func makeLaunch(parameters: String = "{}") -> WorkerLaunch {
    WorkerLaunch(
      run: RunNumber(1), identifier: "com.example.h", key: "k", handler: "h",
      parameters: parameters, attempt: 2, scheduledFor: WallInstant(seconds: 1000),
      monotonicDeadline: MonotonicInstant(nanoseconds: 0), title: "Title",
      jobFolder: folder.path + "/jobs", manifestFolder: "/manifest")
  }

  @Test func `returning succeeds`() async throws {
    let completion = try await complete { $0.handle("h") { _ in } }
    #expect(completion == .succeeded)
  }

  @Test func `throwing fails with the error's text in one line`() async throws {
    struct Refusal: Error, CustomStringConvertible { let description = "no\nfeed" }
    let completion = try await complete { $0.handle("h") { _ in throw Refusal() } }
    #expect(completion == .failed(.handlerThrew, detail: "no feed"))
  }

  @Test func `the context tells what the launch said`() async throws {
    let completion = try await complete(parameters: #"{"a":1,"b":"x"}"#) {
      $0.handle("h", parameters: Pair.self) { context in
        #expect(context.parameters == Pair(a: 1, b: "x"))
        #expect(context.identifier == "com.example.h")
        #expect(context.key == "k")
        #expect(context.attempt == 2)
        #expect(context.scheduledFor.timeIntervalSince1970 == 1000)
        #expect(context.deadline == nil)
        #expect(context.remainingTime == .zero)
        #expect(context.progress.title == "Title")
        #expect(context.manifestFolder == "/manifest")
      }
    }
    #expect(completion == .succeeded)
  }

  @Test func `parameters of a submission that don't fit fail the run`() async throws {
    let completion = try await complete(parameters: #"{"a":"one"}"#) {
      $0.handle("h", parameters: Pair.self) { _ in }
    }
    #expect(
      completion
        == .failed(
          .handlerThrew, detail: "the parameters don't fit: with.a must be a whole number"))
  }

  @Test func `LC4: expiration cancels the task after its reason is readable`() async throws {
    let completion = try await complete(expiring: .network) {
      $0.handle("h") { context in
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        #expect(context.expirationReason == .network)
        try Task.checkCancellation()
      }
    }
    #expect(completion == .failed(.handlerThrew, detail: "CancellationError()"))
  }

  @Test func `LC4: a warning is given once, whenever the handler asks for it`() {
    let run = makeRun()
    let count = Mutex(0)
    run.expire(.timeLimit)
    run.expire(.network)
    run.onExpiration { count.withLock { $0 += 1 } }
    #expect(count.withLock { $0 } == 1)
    #expect(run.expiration == .timeLimit)
  }

  @Test func `LC2: only the first completion counts, and none is warned after it`() {
    let count = Mutex(0)
    let run = makeRun(completed: { _, _ in count.withLock { $0 += 1 } })
    #expect(run.complete(.succeeded))
    #expect(!run.complete(.failed(.handlerThrew, detail: nil)))
    run.expire(.timeLimit)
    #expect(run.expiration == nil)
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `LC6: an abandoned run has ended without success, and says that it may go on`() {
    let ends = Mutex<[HandlerCompletion]>([])
    let wasAbandoned = Mutex(false)
    let run = makeRun(ended: { run, completion in
      ends.withLock { $0.append(completion) }
      wasAbandoned.withLock { $0 = run.isAbandoned }
    })
    run.expire(.timeLimit)
    run.abandon()
    #expect(!run.complete(.succeeded))
    #expect(
      ends.withLock { $0 } == [.failed(.neverCompleted, detail: "it has no expiration handler")])
    #expect(wasAbandoned.withLock { $0 })
  }

  @Test
  func `LC6, EM1, ST2: where nothing can be killed, an abandoned run ends when its handler does`()
    throws
  {
    let ends = Mutex<[HandlerCompletion]>([])
    let run = makeRun(canBeKilled: false) { _, completion in
      ends.withLock { $0.append(completion) }
    }
    try run.checkpoint.save(Pair(a: 1, b: "x"))
    run.expire(.timeLimit)
    run.abandon()
    #expect(run.isAbandoned)
    #expect(ends.withLock { $0 }.isEmpty, "its code goes on, in its place")
    #expect(run.complete(.succeeded))
    #expect(
      ends.withLock { $0 } == [.failed(.neverCompleted, detail: "it has no expiration handler")])
    #expect(try run.checkpoint.load(Pair.self) == Pair(a: 1, b: "x"), "the next attempt needs it")
  }

  @Test func `LC6: a run that has completed can't be abandoned`() {
    let run = makeRun()
    run.complete(.succeeded)
    run.abandon()
    #expect(!run.isAbandoned)
  }

  @Test func `a checkpoint stays until a run succeeds`() throws {
    let first = makeRun()
    #expect(try first.checkpoint.load(Pair.self) == nil)
    try first.checkpoint.save(Pair(a: 1, b: "x"))
    first.complete(.failed(.handlerThrew, detail: nil))

    let second = makeRun()
    #expect(try second.checkpoint.load(Pair.self) == Pair(a: 1, b: "x"))
    #expect(throws: CheckpointError.self) { try second.checkpoint.load(Int.self) }
    second.complete(.succeeded)
    #expect(try makeRun().checkpoint.loadBytes() == nil)
  }

  @Test func `progress tells changes, and only them`() {
    let changes = Mutex<[HandlerProgress.Change]>([])
    let run = makeRun(report: { change in changes.withLock { $0.append(change) } })
    run.progress.update(fractionCompleted: 0.5)
    run.progress.update(fractionCompleted: 0.5)
    run.progress.update(fractionCompleted: .nan)
    run.progress.update(completed: 3, of: 0)
    run.progress.update(completed: 3, of: 2)
    run.progress.update(title: "Title", subtitle: "Page 1")
    #expect(
      changes.withLock { $0 } == [
        HandlerProgress.Change(fractionCompleted: 0.5),
        HandlerProgress.Change(fractionCompleted: 1), HandlerProgress.Change(subtitle: "Page 1"),
      ])
    #expect(run.progress.fractionCompleted == 1)
  }
}
