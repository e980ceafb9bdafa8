// As it would stand in an iOS app: nothing here is of bgrun. The same file is compiled in Swift 5 and
// in Swift 6 mode.
import BackgroundTasks
import Foundation

public enum FeedTasks {
  public static let refresh = "com.example.feed.refresh"
  public static let cleaning = "com.example.feed.cleaning"
  public static let export = "com.example.feed.export.palettes"

  @discardableResult
  public static func register() -> Bool {
    BGTaskScheduler.shared.register(forTaskWithIdentifier: refresh, using: nil) { task in
      handleRefresh(task as! BGAppRefreshTask)
    }
    BGTaskScheduler.shared.register(forTaskWithIdentifier: cleaning, using: nil) { task in
      handleCleaning(task as! BGProcessingTask)
    }
    return BGTaskScheduler.shared.register(
      forTaskWithIdentifier: export, using: DispatchQueue(label: "export")
    ) { task in
      guard let task = task as? BGContinuedProcessingTask else { return }
      handleExport(task)
    }
  }

  // MARK: Requests

  public static func scheduleRefresh() {
    let request = BGAppRefreshTaskRequest(identifier: refresh)
    request.earliestBeginDate = Date(timeIntervalSinceNow: 15 * 60)
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch {
      print("Could not schedule app refresh: \(error)")
    }
  }

  public static func scheduleCleaning() throws {
    let request = BGProcessingTaskRequest(identifier: cleaning)
    request.requiresNetworkConnectivity = true
    request.requiresExternalPower = true
    try BGTaskScheduler.shared.submit(request)
  }

  public static func startExport() async throws {
    let request = BGContinuedProcessingTaskRequest(
      identifier: export, title: "Exporting palettes", subtitle: "Preparing")
    request.strategy = .fail
    if BGTaskScheduler.supportedResources.contains(.gpu) { request.requiredResources = .gpu }
    try await BGTaskScheduler.shared.submitTaskRequest(request)
  }

  public static func outcome(of submit: () async throws -> Void) async -> String {
    do {
      try await submit()
      return "submitted"
    } catch BGTaskScheduler.Error.notPermitted {
      return "not permitted"
    } catch BGTaskScheduler.Error.immediateRunIneligible {
      return "not now"
    } catch let error as BGTaskScheduler.Error where error.code == .tooManyPendingTaskRequests {
      return "too many"
    } catch {
      return "unavailable"
    }
  }

  // MARK: Activities

  public static func save(_ told: @escaping @Sendable (Bool) -> Void) {
    ProcessInfo.processInfo.performExpiringActivity(withReason: "save feed") { isExpired in
      told(isExpired)
    }
  }

  /// The same through a function value.
  public static var activity: (String, @escaping @Sendable (Bool) -> Void) -> Void {
    ProcessInfo.processInfo.performExpiringActivity(withReason:using:)
  }

  // MARK: Handlers

  private static func handleRefresh(_ task: BGAppRefreshTask) {
    scheduleRefresh()
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let fetch = BlockOperation { print("fetched") }
    let store = BlockOperation { print("stored") }
    store.addDependency(fetch)
    task.expirationHandler = { queue.cancelAllOperations() }
    store.completionBlock = { task.setTaskCompleted(success: !store.isCancelled) }
    queue.addOperations([fetch, store], waitUntilFinished: false)
  }

  private static func handleCleaning(_ task: BGProcessingTask) {
    let work = Task {
      do {
        try await clean()
        task.setTaskCompleted(success: true)
      } catch {
        print("stopped: \(error)")
        task.setTaskCompleted(success: false)
      }
    }
    task.expirationHandler = { work.cancel() }
  }

  private static func clean() async throws {
    for page in 0..<3 {
      try Task.checkCancellation()
      print("cleaned page \(page)")
      await Task.yield()
    }
  }

  private static func handleExport(_ task: BGContinuedProcessingTask) {
    let stop = DispatchSemaphore(value: 0)
    task.expirationHandler = { stop.signal() }
    task.progress.totalUnitCount = 1_000_000
    var wasExpired = false
    while !wasExpired, !task.progress.isFinished {
      wasExpired = stop.wait(timeout: .now() + .milliseconds(20)) == .success
      task.progress.completedUnitCount += 1
      if task.progress.completedUnitCount == 5 { print("\(task.title): exporting") }
      task.updateTitle(task.title, subtitle: "\(task.progress.completedUnitCount) done")
    }
    print("stopped: \(wasExpired)")
    task.setTaskCompleted(success: !wasExpired)
  }
}
