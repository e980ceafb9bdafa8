import BackgroundTasks
import BackgroundTasksTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("The end of a task")
struct TaskEndTests {
  private static let identifier = "com.example.app.refresh"

  /// Launches one task with this handler.
  private func launch(
    _ launchHandler: @escaping @Sendable (BGTask) -> Void,
    then body: (BackgroundTaskSimulator, SimulatedTask) async throws -> Void
  ) async throws {
    try await withBackgroundTasks(permitting: [.appRefresh(Self.identifier)]) { simulator in
      BGTaskScheduler.shared.register(
        forTaskWithIdentifier: Self.identifier, using: nil, launchHandler: launchHandler)
      try await body(simulator, try await simulator.launch(Self.identifier))
    }
  }

  @Test(arguments: [(true, SimulatedEnd.succeeded), (false, .failed)])
  func `LC2: setTaskCompleted ends it`(success: Bool, end: SimulatedEnd) async throws {
    try await launch({ $0.setTaskCompleted(success: success) }) { simulator, task in
      let actual = try await task.end()
      #expect(actual == end)
      #expect(simulator.warnings.isEmpty)
    }
  }

  @Test func `LC2: a second completion is ignored and logged`() async throws {
    let isDone = DispatchSemaphore(value: 0)
    let both: @Sendable (BGTask) -> Void = { task in
      task.setTaskCompleted(success: true)
      task.setTaskCompleted(success: false)
      isDone.signal()
    }
    try await launch(both) { simulator, task in
      let end = try await task.end()
      #expect(end == .succeeded)
      await signal(of: isDone)
      #expect(simulator.warnings.count == 1)
      #expect(simulator.warnings[0].contains("setTaskCompleted(success:) was called again"))
    }
  }

  @Test func `LC10: released without a completion is neverCompleted, and logged`() async throws {
    try await launch({ _ in }) { simulator, task in
      let end = try await task.end()
      #expect(end == .neverCompleted)
      await signal(until: { !simulator.warnings.isEmpty })
      #expect(simulator.warnings[0].contains("released without setTaskCompleted(success:)"))
    }
  }

  @Test func `LC2: returning doesn't complete; LC4: the expiration handler is called once`()
    async throws
  {
    let calls = Mutex(0)
    let kept = Mutex<BGTask?>(nil)
    let isLaunched = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGTask) -> Void = { task in
      kept.withLock { $0 = task }
      task.expirationHandler = {
        calls.withLock { $0 += 1 }
        kept.withLock { $0 }?.setTaskCompleted(success: false)
      }
      isLaunched.signal()
    }
    try await launch(handler) { simulator, task in
      await signal(of: isLaunched)
      task.expire()
      task.expire()
      let end = try await task.end()
      #expect(end == .expired)
      #expect(calls.withLock { $0 } == 1)
      #expect(kept.withLock { $0 }?.expirationHandler == nil)
      #expect(simulator.warnings.isEmpty)
    }
  }

  @Test func `ST4: success after the warning is success`() async throws {
    let handler: @Sendable (BGTask) -> Void = { task in
      task.expirationHandler = { task.setTaskCompleted(success: true) }
    }
    try await launch(handler) { _, task in
      task.expire()
      let end = try await task.end()
      #expect(end == .succeeded)
    }
  }

  @Test func `LC4: a handler that is set after the warning is called at once`() async throws {
    let isWarned = DispatchSemaphore(value: 0)
    let isLaunched = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGTask) -> Void = { task in
      isLaunched.signal()
      isWarned.wait()
      task.expirationHandler = { task.setTaskCompleted(success: true) }
    }
    try await launch(handler) { simulator, task in
      await signal(of: isLaunched)
      task.expire()
      isWarned.signal()
      let end = try await task.end()
      #expect(end == .succeeded)
      #expect(simulator.warnings.isEmpty)
    }
  }

  @Test func `LC4: a warning that comes before the launch handler waits for it`() async throws {
    try await withBackgroundTasks(permitting: [.appRefresh(Self.identifier)]) { simulator in
      let queue = DispatchQueue(label: "held")
      BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.identifier, using: queue) {
        task in
        task.expirationHandler = { task.setTaskCompleted(success: true) }
      }
      queue.suspend()
      let task = try await simulator.launch(Self.identifier)
      task.expire()
      queue.resume()
      let end = try await task.end()
      #expect(end == .succeeded)
    }
  }

  @Test func `LC6: without an expiration handler it ends as expired, at once, and that is logged`()
    async throws
  {
    let kept = Mutex<BGTask?>(nil)
    let isLaunched = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGTask) -> Void = { task in
      kept.withLock { $0 = task }
      isLaunched.signal()
    }
    try await launch(handler) { simulator, task in
      await signal(of: isLaunched)
      task.expire()
      let end = try await task.end()
      #expect(end == .expired)
      #expect(simulator.warnings.count == 1)
      #expect(simulator.warnings[0].contains("has no expirationHandler"))
      // It is over: there is nothing to complete and nothing to complain about.
      kept.withLock { $0 = nil }
      #expect(simulator.warnings.count == 1)
    }
  }

  @Test func `LC6: one that works in its launch handler without an expiration handler ends too`()
    async throws
  {
    let isOver = DispatchSemaphore(value: 0)
    let isLaunched = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGTask) -> Void = { task in
      isLaunched.signal()
      isOver.wait()
      withExtendedLifetime(task) {}
    }
    try await launch(handler) { simulator, task in
      await signal(of: isLaunched)
      task.expire()
      let end = try await task.end()
      #expect(end == .expired)
      isOver.signal()
    }
  }

  @Test func `launching what isn't permitted or has no handler is a sentence`() async throws {
    try await withBackgroundTasks(permitting: [.appRefresh(Self.identifier)]) { simulator in
      await #expect(throws: SimulationError.self) {
        try await simulator.launch("com.example.app.refersh")
      }
      do {
        _ = try await simulator.launch(Self.identifier)
        Issue.record("it was launched")
      } catch let error as SimulationError {
        #expect(
          error.description
            == "No launch handler registered for task with identifier \(Self.identifier)")
      }
    }
  }

  @Test func `a task that doesn't end is a sentence, not a hang`() async throws {
    let kept = Mutex<BGTask?>(nil)
    try await launch({ task in kept.withLock { $0 = task } }) { _, task in
      do {
        _ = try await task.end(within: .milliseconds(10))
        Issue.record("it ended")
      } catch let error as SimulationError {
        #expect(error.description.contains("hasn't called setTaskCompleted(success:)"))
      }
      kept.withLock { $0 }?.setTaskCompleted(success: true)
      let end = try await task.end()
      #expect(end == .succeeded)
    }
  }
}
