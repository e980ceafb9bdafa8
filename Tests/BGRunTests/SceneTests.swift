import BGRun
import JobModel
import Synchronization
import TaskHosts
import Testing

/// Handlers that a program declares in its body (LC11).
@Suite("A program's body")
struct SceneTests {
  private struct Declaring: BackgroundApp {
    var body: some Scene {
      Handlers()
        .backgroundTask(.appRefresh("com.example.refresh")) {}
        .backgroundTask(.appRefresh("com.example.failing")) { throw Refusal() }
      Handlers()
        .backgroundTask(.appRefresh("com.example.waiting")) {
          await SceneTests.waitForCancellation()
        }
    }
  }

  private struct Both: BackgroundApp {
    func register(in app: HandlerRegistry) { app.handle("com.example.coded") { _ in } }

    var body: some Scene {
      Handlers().backgroundTask(.appRefresh("com.example.declared")) { await other() }
    }

    private func other() async {}
  }

  private struct Neither: BackgroundApp {}

  private struct Refusal: Error, CustomStringConvertible { let description = "no feed" }

  private static func waitForCancellation() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
    for await _ in stream {}
    withExtendedLifetime(continuation) {}
  }

  private func names(_ app: some BackgroundApp) -> [String] {
    let registry = HandlerRegistry()
    app.registerHandlers(in: registry)
    return registry.names
  }

  private func complete(
    _ name: String, expiring: Bool = false, permittedAs kind: JobKind = .appRefresh
  ) async throws -> HandlerCompletion? {
    let registry = HandlerRegistry()
    Declaring().registerHandlers(in: registry)
    let (stream, continuation) = AsyncStream.makeStream(of: HandlerCompletion.self)
    let launch = WorkerLaunch(
      run: RunNumber(1), identifier: name, key: "", handler: name, parameters: "{}", attempt: 1,
      scheduledFor: WallInstant(seconds: 1000), jobFolder: "/nowhere", manifestFolder: "/nowhere")
    let run = HandlerRun(launch, report: { _ in }, completed: { end, _ in continuation.yield(end) })
    run.start(
      from: registry,
      permitting: [HandlerPermission(identifier: name, kind: kind, handler: name)])
    if expiring { run.expire(.timeLimit) }
    for await completion in stream { return completion }
    return nil
  }

  @Test func `every task of every scene is registered`() {
    #expect(
      names(Declaring()) == ["com.example.failing", "com.example.refresh", "com.example.waiting"])
  }

  @Test func `code and body stand beside each other, and either may be missing`() {
    #expect(names(Both()) == ["com.example.coded", "com.example.declared"])
    #expect(names(Neither()) == [])
  }

  @Test func `LC11: returning completes with success`() async throws {
    #expect(try await complete("com.example.refresh") == .succeeded)
  }

  @Test func `LC11: throwing completes with failure`() async throws {
    #expect(
      try await complete("com.example.failing") == .failed(.handlerThrew, detail: "no feed"))
  }

  @Test func `LC11: expiration cancels the Swift task`() async throws {
    #expect(try await complete("com.example.waiting", expiring: true) == .succeeded)
  }

  @Test func `LC1, LC11: a worker doesn't hand it a job of another kind`() async throws {
    let end = try await complete("com.example.refresh", permittedAs: .processing)
    guard case .failed(.handlerMissing, let detail?) = end else {
      Issue.record("it ended as \(String(describing: end))")
      return
    }
    #expect(detail.contains("com.example.refresh is a job of kind processing"))
    #expect(detail.contains("BGRunTests/SceneTests.swift:13 is for appRefresh"))
  }
}
