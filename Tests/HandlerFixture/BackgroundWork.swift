import BGRun
import Glibc
import Synchronization

/// Handlers that leave work behind, for the tests of background tasks.
extension HandlerFixture {
  func registerBackgroundWork(in app: HandlerRegistry) {
    let mainThread = pthread_self()
    app.handle("com.example.lingering") { context in
      let application = BackgroundApplication.shared
      let task = application.beginBackgroundTask(withName: "upload")
      print("worker \(getpid())")
      let gate = "\(context.manifestFolder)/gate"
      onThread {
        waitForWriter(of: gate)
        print("uploaded with time \(application.backgroundTimeRemaining < 1000)")
        application.endBackgroundTask(task)
      }
    }
    app.handle("com.example.leaking") { _ in
      leak()
    }
    app.handle("com.example.saving") { _ in
      let begun = Begun()
      begun.task = BackgroundApplication.shared.beginBackgroundTask(withName: "save") {
        print("saved on the main thread: \(pthread_equal(pthread_self(), mainThread) != 0)")
        BackgroundApplication.shared.endBackgroundTask(begun.task)
      }
      print("worker \(getpid())")
    }
    app.handle("com.example.working") { _ in
      // Goes on, whatever it is told, until its task was told that the time is over.
      let begun = Begun()
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      begun.task = BackgroundApplication.shared.beginBackgroundTask(withName: "work") {
        print("told that the time is over")
        BackgroundApplication.shared.endBackgroundTask(begun.task)
        continuation.finish()
      }
      print("working with time \(BackgroundApplication.shared.backgroundTimeRemaining < 1000)")
      await Task { for await _ in stream {} }.value
      print("worked to the end")
    }
    app.handle("com.example.dozing") { context in
      // Tells its phase whenever it is asked.
      while true {
        waitForWriter(of: "\(context.manifestFolder)/gate")
        print(BackgroundApplication.shared.backgroundTimeRemaining < 1000 ? "away" : "here")
      }
    }
    app.handle("com.example.misusing") { _ in
      let task = BackgroundApplication.shared.beginBackgroundTask()
      BackgroundApplication.shared.endBackgroundTask(task)
      BackgroundApplication.shared.endBackgroundTask(task)
    }
    app.handle("com.example.active") { context in
      let gate = "\(context.manifestFolder)/gate"
      BackgroundApplication.shared.performExpiringActivity(withReason: "sync") { isExpired in
        print("expired \(isExpired)")
        if !isExpired { waitForWriter(of: gate) }
      }
    }
    app.handle("com.example.parenting") { context in
      let task = BackgroundApplication.shared.beginBackgroundTask(withName: "child")
      let gate = "\(context.manifestFolder)/gate"
      print("worker \(getpid())")
      onThread {
        try? spawn("/bin/sh", "-c", "read line < \(gate); echo from the child")
        BackgroundApplication.shared.endBackgroundTask(task)
      }
    }
  }
}

/// Two tasks that nobody ends, one with an expiration handler.
private func leak() {
  _ = BackgroundApplication.shared.beginBackgroundTask(withName: "first") { print("too late") }
  _ = BackgroundApplication.shared.beginBackgroundTask(withName: nil)
  print("worker \(getpid())")
}

private final class Begun: Sendable {
  private let identifier = Mutex(UIBackgroundTaskIdentifier.invalid)
  var task: UIBackgroundTaskIdentifier {
    get { identifier.withLock { $0 } }
    set { identifier.withLock { $0 = newValue } }
  }
}

/// Blocking work beside the pool that handlers run on.
private func onThread(_ body: @escaping @Sendable () -> Void) {
  var thread = pthread_t()
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  pthread_create(
    &thread, nil,
    { work in
      Unmanaged<Work>.fromOpaque(work!).takeRetainedValue().body()
      return nil
    }, work)
  pthread_detach(thread)
}

private final class Work {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Blocks until somebody opens the pipe of this name for writing.
private func waitForWriter(of pipe: String) {
  let descriptor = open(pipe, O_RDONLY)
  close(descriptor)
}
