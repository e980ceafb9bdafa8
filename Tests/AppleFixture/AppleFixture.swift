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
    registerGraphics()
    registerThreads()
    submitAtLaunch()
    if !BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "com.example.feed.refreshed", using: nil, launchHandler: { _ in })
    {
      print("refreshed isn't permitted")
    }
  }

  /// What a test asks for by a variable.
  private func submitAtLaunch() {
    guard let identifier = ProcessInfo.processInfo.environment["FIXTURE_SUBMITS"] else { return }
    let request: BGTaskRequest =
      identifier == FeedTasks.export
      ? BGContinuedProcessingTaskRequest(identifier: identifier, title: "Export", subtitle: "")
      : BGProcessingTaskRequest(identifier: identifier)
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch {
      print(error)
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

  private func registerGraphics() {
    handle("graphics") { task in
      print("gpu: \(BGTaskScheduler.supportedResources.contains(.gpu))")
      let request = BGContinuedProcessingTaskRequest(
        identifier: FeedTasks.export, title: "Export", subtitle: "")
      request.requiredResources = .gpu
      Task {
        let outcome = await FeedTasks.outcome { try BGTaskScheduler.shared.submit(request) }
        print("export: \(outcome)")
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
