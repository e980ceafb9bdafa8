import BackgroundTasks
import Dispatch
import Foundation

/// Handlers in the server's own process that are written against Apple's classes.
enum AppleTasks {
  private static let refresh = "com.example.apple.refresh"
  private static let queue = DispatchQueue(label: "server.tasks")
  private static let isOnQueue = DispatchSpecificKey<Bool>()

  static func register(_ gate: Gate) {
    let server = getpid()
    queue.setSpecific(key: isOnQueue, value: true)
    let scheduler = BGTaskScheduler.shared
    scheduler.register(forTaskWithIdentifier: refresh, using: queue) { task in
      let isOwn = DispatchQueue.getSpecific(key: isOnQueue) ?? false
      say("\(type(of: task)) in the server: \(getpid() == server), on its queue: \(isOwn)")
      task.setTaskCompleted(success: true)
      task.setTaskCompleted(success: false)
      say("completed twice")
    }
    scheduler.register(forTaskWithIdentifier: "com.example.apple.cleaning", using: nil) { task in
      say("cleaning, on the main thread: \(Thread.isMainThread)")
      task.expirationHandler = {
        say("told to stop")
        task.setTaskCompleted(success: false)
      }
    }
    scheduler.register(forTaskWithIdentifier: "com.example.apple.unwarned", using: nil) { task in
      Task {
        await gate.wait()
        task.setTaskCompleted(success: true)
      }
    }
  }

  static func submitRefresh() {
    do {
      try BGTaskScheduler.shared.submit(BGAppRefreshTaskRequest(identifier: refresh))
      say("submitted")
    } catch {
      say("refused: \(error)")
    }
  }
}
