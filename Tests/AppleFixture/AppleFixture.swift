import AppleHandlers6
import BGRun
import BackgroundTasks
import Foundation

/// An app whose handlers are written against Apple's classes, for the end-to-end tests.
@main
struct AppleFixture: BackgroundApp {
  func register(in app: HandlerRegistry) {
    FeedTasks.register()
    registerEnds()
    registerRequests()
    registerThreads()
    if let identifier = ProcessInfo.processInfo.environment["FIXTURE_SUBMITS"] {
      do {
        try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: identifier))
      } catch {
        print(error)
      }
    }
    if !BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "com.example.feed.refreshed", using: nil, launchHandler: { _ in })
    {
      print("refreshed isn't permitted")
    }
  }

  private func handle(_ name: String, _ launchHandler: @escaping (BGTask) -> Void) {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "com.example.feed.\(name)", using: nil, launchHandler: launchHandler)
  }

  private func registerEnds() {
    handle("failing") { $0.setTaskCompleted(success: false) }
    handle("releasing") { _ in print("forgets its task") }
    handle("twice") { task in
      task.setTaskCompleted(success: true)
      task.setTaskCompleted(success: false)
    }
    handle("unwarned") { _ in
      print("working in", getpid())
      while true { pause() }
    }
    handle("holding") { task in
      print("holding")
      Held.task = task
    }
    handle("obeying") { task in
      let stop = DispatchSemaphore(value: 0)
      task.expirationHandler = { stop.signal() }
      print("waiting")
      stop.wait()
      print("told on the main thread: \(Thread.isMainThread)")
      task.setTaskCompleted(success: false)
    }
  }

  private func registerRequests() {
    handle("submitting") { task in
      Task {
        print("export: \(await FeedTasks.outcome { try await FeedTasks.startExport() })")
        print("cleaning: \(await FeedTasks.outcome { try FeedTasks.scheduleCleaning() })")
        FeedTasks.scheduleRefresh()
        let pending = await BGTaskScheduler.shared.pendingTaskRequests()
        for request in pending {
          print("\(type(of: request)) \(request.earliestBeginDate == nil ? "now" : "later")")
        }
        BGTaskScheduler.shared.cancel(taskRequestWithIdentifier: FeedTasks.cleaning)
        print("left: \(await BGTaskScheduler.shared.pendingTaskRequests().count)")
        task.setTaskCompleted(success: true)
      }
    }
  }

  private func registerThreads() {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "com.example.feed.main", using: .main
    ) { task in
      print("main thread: \(Thread.isMainThread)")
      // A timer of the run loop fires only where the run loop runs.
      _ = Timer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
        print("run loop")
        task.setTaskCompleted(success: true)
      }
    }
  }
}

private enum Held {
  nonisolated(unsafe) static var task: BGTask?
}
