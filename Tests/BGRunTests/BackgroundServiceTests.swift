import BGRun
import JobModel
import LinuxSystem
import SQLiteStore
import Synchronization
import Testing

/// Services in this very process; what they make of a real server is in the end-to-end tests.
@Suite("A service in this process", .serialized, .timeLimit(.minutes(1)))
struct BackgroundServiceTests {
  /// A manifest, a store and the handlers of one service.
  private struct Place {
    let folder: TemporaryFolder
    let registry = HandlerRegistry()
    var state: String { folder.path + "/state" }
    var manifest: String { folder.path + "/jobs.yaml" }

    init(_ jobs: String) throws {
      folder = try TemporaryFolder()
      try Files.write(Array("version: 1\njobs:\n\(jobs)".utf8), to: folder.path + "/jobs.yaml")
    }

    func service(
      _ onEvent: (@Sendable (BackgroundService.Event) -> Void)? = nil
    ) -> BackgroundService {
      BackgroundService(
        manifests: [manifest], state: state, handlers: registry, onEvent: onEvent ?? { _ in })
    }

    func history() throws -> [HistoryRow] {
      try SQLiteStore.open(existing: state)?.history(of: nil, limit: nil) ?? []
    }
  }

  private static let every =
    "  - {identifier: com.example.a, kind: processing, schedule: {every: 7d}}\n"
  private static let asked = "  - {identifier: com.example.a, kind: processing, maxRunning: 4}\n"

  /// Runs services until `body` is done with them.
  private func running(
    _ services: BackgroundService..., until body: () async throws -> Void
  ) async throws {
    let tasks = services.map { service in Task { try await service.run() } }
    do {
      try await body()
    } catch {
      for task in tasks { task.cancel() }
      throw error
    }
    for task in tasks { task.cancel() }
    for task in tasks { try await task.value }
  }

  private struct Declaring: BackgroundApp {
    var body: some Scene { Handlers().backgroundTask(.appRefresh("com.example.a")) {} }
  }

  @Test func `LC1, LC11: a handler for another kind of job is an error of run()`() async throws {
    let place = try Place(Self.every)
    Declaring().registerHandlers(in: place.registry)
    do throws(BackgroundService.Failure) {
      try await place.service().run()
      Issue.record("it ran")
    } catch {
      #expect(error.code == .missingHandler)
      #expect(error.description.hasPrefix("com.example.a is a job of kind processing, and its "))
    }
    #expect(try place.history().isEmpty)
  }

  @Test func `EM1: run() runs what is due and returns when its task is cancelled`() async throws {
    let place = try Place(Self.every)
    let (runs, ran) = AsyncStream.makeStream(of: String.self)
    place.registry.handle("com.example.a") { context in ran.yield(context.identifier) }
    let (events, happened) = AsyncStream.makeStream(of: BackgroundService.Event.self)
    try await running(place.service { happened.yield($0) }) {
      #expect(await runs.first { _ in true } == "com.example.a")
      let ended = try #require(await events.first { $0.name == "run-ended" })
      #expect(ended.level == .info)
      #expect(ended.fields["identifier"] == "com.example.a")
      #expect(ended.fields["outcome"] == "succeeded")
      #expect(ended.description.hasPrefix("com.example.a: run 1 succeeded after "))
    }
    #expect(try place.history().map(\.outcome) == [.succeeded])
    #expect(try SQLiteStore.open(existing: place.state)?.owners().isEmpty == true)
  }

  @Test func `a task that is cancelled before it begins runs nothing`() async throws {
    let place = try Place(Self.every)
    place.registry.handle("com.example.a") { _ in Issue.record("it ran") }
    let service = place.service()
    let (start, started) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      for await _ in start {}
      try await service.run()
    }
    task.cancel()
    started.finish()
    try await task.value
    #expect(try place.history().isEmpty)
  }

  @Test func `two services on two stores each have their own handlers and requests`() async throws {
    let first = try Place(Self.asked)
    let second = try Place(Self.asked)
    let (runs, ran) = AsyncStream.makeStream(of: String.self)
    first.registry.handle("com.example.a") { context in ran.yield("first \(context.key)") }
    second.registry.handle("com.example.a") { context in ran.yield("second \(context.key)") }
    let (one, two) = (first.service(), second.service())
    try await running(one, two) {
      try await one.scheduler.submit(TaskRequest(identifier: "com.example.a", key: "1"))
      #expect(await runs.first { _ in true } == "first 1")
      try await two.scheduler.submit(TaskRequest(identifier: "com.example.a", key: "2"))
      #expect(await runs.first { _ in true } == "second 2")
    }
    #expect(try first.history().compactMap(\.run).count == 1)
    #expect(try second.history().compactMap(\.run).count == 1)
  }

  @Test func `DU3: two services on one store run each request once`() async throws {
    let place = try Place(Self.asked)
    let (runs, ran) = AsyncStream.makeStream(of: String.self)
    place.registry.handle("com.example.a") { context in ran.yield(context.key) }
    let service = place.service()
    try await running(service, place.service()) {
      for key in 1...20 {
        try await service.scheduler.submit(
          TaskRequest(identifier: "com.example.a", key: String(key)))
      }
      var keys: [String] = []
      for await key in runs {
        keys.append(key)
        if keys.count == 20 { break }
      }
      #expect(Set(keys).count == 20)
    }
    #expect(try place.history().compactMap(\.run).count == 20)
  }

  /// In a process of its own: other tests have services too.
  @Test func `TaskScheduler.shared works with the service that was made last`() async {
    await #expect(processExitsWith: .success) {
      let place = try Place(Self.asked)
      place.registry.handle("com.example.a") { _ in }
      _ = place.service()
      try await TaskScheduler.shared.submit(TaskRequest(identifier: "com.example.a", key: "k"))
      let store = try #require(try SQLiteStore.open(existing: place.state))
      #expect(try store.pending(of: nil, limit: 9).map(\.key) == ["k"])
      let refused = await #expect(throws: TaskScheduler.SubmissionFailure.self) {
        try await TaskScheduler.shared.submit(TaskRequest(identifier: "com.example.b"))
      }
      #expect(refused?.code == .notPermitted)
    }
  }

  @Test func `PL12: a scheduler follows the job set that a runner has put in force`() async throws {
    let place = try Place(Self.asked)
    for name in ["com.example.a", "com.example.b"] { place.registry.handle(name) { _ in } }
    let scheduler = place.service().scheduler
    #expect(try await scheduler.pendingRequests().isEmpty)
    let store = try #require(try SQLiteStore.open(existing: place.state))
    try store.saveJobSet(
      StoredJobSet(
        digest: "newer",
        sources: [
          StoredJobSet.Source(
            path: place.manifest, folder: place.folder.path,
            text: "version: 1\njobs:\n  - {identifier: com.example.b, kind: processing}\n")
        ]))
    try await scheduler.submit(TaskRequest(identifier: "com.example.b"))
    await #expect(throws: TaskScheduler.SubmissionFailure.self) {
      try await scheduler.submit(TaskRequest(identifier: "com.example.a"))
    }
  }

  @Test func `LC4: what a handler does at its cancellation holds up no other warning`() async throws
  {
    let place = try Place(
      """
        - {identifier: com.example.a, kind: processing, schedule: {every: 7d}}
        - {identifier: com.example.b, kind: processing, schedule: {every: 7d}}

      """)
    let bells = ["com.example.a": Bell(), "com.example.b": Bell()]
    let others = ["com.example.a": "com.example.b", "com.example.b": "com.example.a"]
    let met = Mutex(0)
    let (runs, ran) = AsyncStream.makeStream(of: Void.self)
    for (name, bell) in bells {
      place.registry.handle(name) { context in
        await withTaskCancellationHandler {
          let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
          ran.yield()
          for await _ in stream {}
          withExtendedLifetime(continuation) {}
        } onCancel: {
          // Each waits for the warning of the other one.
          bell.ring()
          if bells[others[name] ?? ""]?.wait(atMost: .seconds(20)) == true {
            met.withLock { $0 += 1 }
          }
        }
      }
    }
    try await running(place.service()) {
      var started = runs.makeAsyncIterator()
      for _ in 0..<2 { await started.next() }
    }
    #expect(met.withLock { $0 } == 2)
    #expect(try place.history().map(\.outcome) == [.succeeded, .succeeded])
  }

  @Test func `memoryLimit of a handler is told to have no effect`() async throws {
    let place = try Place(
      "  - {identifier: com.example.a, kind: processing, memoryLimit: 64MiB}\n")
    place.registry.handle("com.example.a") { _ in }
    let (events, happened) = AsyncStream.makeStream(of: BackgroundService.Event.self)
    try await running(place.service { happened.yield($0) }) {
      let warning = try #require(await events.first { $0.level >= .warning })
      #expect(warning.name == "memory-limit-unused")
      #expect(warning.message.hasPrefix("com.example.a: memoryLimit has no effect"))
    }
  }

  @Test(arguments: [
    (Self.every, "no handler is registered for com.example.a", "missingHandler"),
    ("  - {identifier: com.example.a, knd: x}\n", "unknown key 'knd'", "manifest"),
  ])
  func `RG6: what can't be run is thrown with a sentence, before anything is made`(
    jobs: String, sentence: String, code: String
  ) async throws {
    let place = try Place(jobs)
    let failure = try #require(await failure(of: place.service()))
    #expect("\(failure.code)" == code)
    #expect(failure.description.contains(sentence))
    #expect(!Files.isFolder(place.state))
  }

  @Test func `a manifest that isn't there is thrown with its path`() async throws {
    let place = try Place("")
    let failure = try #require(
      await failure(of: BackgroundService(manifests: [place.folder.path + "/none.yaml"])))
    #expect(failure.code == .manifest)
    #expect(failure.description.contains("none.yaml"))
    let relative = try #require(await self.failure(of: BackgroundService(manifests: ["none.yaml"])))
    #expect(relative.description.contains("'\(try Files.workingFolder())/none.yaml'"))
  }

  private func failure(of service: BackgroundService) async -> BackgroundService.Failure? {
    do throws(BackgroundService.Failure) {
      try await service.run()
      return nil
    } catch {
      return error
    }
  }
}
