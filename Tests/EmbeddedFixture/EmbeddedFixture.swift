import BGRun
import Glibc

/// A small server for the end-to-end tests: it runs jobs in its own process, and takes its own signals.
///
/// SIGTERM cancels the run, SIGUSR1 submits com.example.asked, SIGUSR2 lets the stubborn handlers go.
/// The first argument says what else is special.
@main
struct EmbeddedFixture {
  static func main() async {
    let variation = CommandLine.arguments.dropFirst().first ?? "usual"
    let gate = Gate()
    register(gate)
    let service = BackgroundService(
      onOverrun: variation == "exit" ? .exit : .hold,
      onEvent: variation == "silent" ? nil : tell)
    let signals = Signals()
    signals.take(SIGUSR1) { submit("com.example.asked") }
    if variation == "apple" {
      AppleTasks.register(gate)
      signals.take(SIGUSR1) { AppleTasks.submitRefresh() }
    }
    signals.take(SIGUSR2) { gate.open() }
    if variation == "late" { return await registerLate() }
    if variation == "often" { await runOften(20) }
    await run(service, until: signals)
    guard variation == "again" else { return }
    // The server goes on, and so does a handler that overran; it starts its jobs anew.
    await run(service, until: signals)
  }

  private static func run(_ service: BackgroundService, until signals: Signals) async {
    let work = Task {
      do throws(BackgroundService.Failure) {
        try await service.run()
        say("returned")
      } catch {
        say("failed, \(error.code): \(error)")
      }
    }
    signals.take(SIGTERM) { work.cancel() }
    await work.value
  }

  @Sendable private static func tell(_ event: BackgroundService.Event) {
    say("event \(event.name): \(event.message)")
  }

  /// What a server does that reloads its whole configuration now and then.
  private static func runOften(_ rounds: Int) async {
    let (readiness, ready) = AsyncStream.makeStream(of: Void.self)
    let service = BackgroundService(onEvent: { if $0.name == "ready" { ready.yield() } })
    var whenReady = readiness.makeAsyncIterator()
    for _ in 1...rounds {
      let work = Task { try await service.run() }
      await whenReady.next()
      work.cancel()
      _ = await work.result
    }
    say("ran \(rounds) times")
  }

  private static func register(_ gate: Gate) {
    let handlers = HandlerRegistry.shared
    handlers.handle("com.example.quick") { context in
      print("printed by the server for \(context.identifier) [\(context.key)]")
      context.logger.info("logged by \(context.identifier) [\(context.key)]")
      context.progress.update(completed: 1, of: 2)
    }
    handlers.handle("com.example.throwing") { _ in throw Refusal() }
    handlers.handle("com.example.asked") { context in
      context.logger.info("asked for")
    }
    handlers.handle("com.example.export.pages") { context in
      for page in 1...4 { context.progress.update(completed: page, of: 4) }
    }
    handlers.handle("com.example.asking") { _ in
      let request = TaskRequest(identifier: "com.example.quick", key: "asked")
      try await TaskScheduler.shared.submit(request)
    }
    handlers.handle("com.example.patient") { context in
      await withTaskCancellationHandler {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
      } onCancel: {
        say("cancelled for \(context.expirationReason?.rawValue ?? "nothing")")
      }
      throw CancellationError()
    }
    handlers.handle("com.example.stubborn") { _ in
      say("ignoring")
      await gate.wait()
    }
    handlers.handle("com.example.uploading") { _ in
      let task = BackgroundApplication.shared.beginBackgroundTask(withName: "upload")
      Task {
        await gate.wait()
        say("ending the upload")
        BackgroundApplication.shared.endBackgroundTask(task)
      }
    }
    handlers.handle("com.example.leaking") { _ in
      _ = BackgroundApplication.shared.beginBackgroundTask(withName: "leak") {
        say("told that the time is over")
      }
    }
    // Each takes a thread of Swift's pool for ever.
    for name in ["com.example.blocking-a", "com.example.blocking-b", "com.example.blocking-c"] {
      handlers.handle(name) { _ in
        say("blocking")
        while true { pause() }
      }
    }
  }

  /// RG2: the first submission finishes the launch.
  private static func registerLate() async {
    do {
      try await TaskScheduler.shared.submit(TaskRequest(identifier: "com.example.quick"))
      say("submitted")
    } catch {
      say("\(error)")
    }
    HandlerRegistry.shared.handle("com.example.continued") { _ in }
    say("a continued one may come late")
    HandlerRegistry.shared.handle("com.example.forgotten") { _ in }
  }

  private static func submit(_ identifier: String) {
    Task {
      do throws(TaskScheduler.SubmissionFailure) {
        try await TaskScheduler.shared.submit(TaskRequest(identifier: identifier))
        say("submitted \(identifier)")
      } catch {
        say("refused, \(error.code): \(error)")
      }
    }
  }
}

struct Refusal: Error {}

/// One write for each line, so that a test sees it at once.
func say(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDOUT_FILENO, bytes, bytes.count)
}
