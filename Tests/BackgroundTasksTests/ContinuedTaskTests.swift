import BackgroundTasks
import BackgroundTasksTesting
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Continued tasks")
struct ContinuedTaskTests {
  private static let identifier = "com.example.app.export.a"

  private func launch(
    _ launchHandler: @escaping @Sendable (BGContinuedProcessingTask) -> Void,
    then body: (BackgroundTaskSimulator, SimulatedTask) async throws -> Void
  ) async throws {
    try await withBackgroundTasks(
      permitting: [.continuedProcessing("com.example.app.export.*")]
    ) { simulator in
      BGTaskScheduler.shared.register(forTaskWithIdentifier: Self.identifier, using: nil) { task in
        launchHandler(task as! BGContinuedProcessingTask)
      }
      let request = BGContinuedProcessingTaskRequest(
        identifier: Self.identifier, title: "Exporting", subtitle: "Preparing")
      try BGTaskScheduler.shared.submit(request)
      try await body(simulator, try await simulator.launch(Self.identifier))
    }
  }

  @Test func `CP2: title and subtitle are the request's, until updateTitle`() async throws {
    let handler: @Sendable (BGContinuedProcessingTask) -> Void = { task in
      #expect(task.title == "Exporting")
      #expect(task.subtitle == "Preparing")
      task.updateTitle("Exporting palettes", subtitle: "1 of 2")
      task.progress.totalUnitCount = 2
      task.progress.completedUnitCount = 1
      task.setTaskCompleted(success: true)
    }
    try await launch(handler) { simulator, task in
      let end = try await task.end()
      #expect(end == .succeeded)
      #expect(task.title == "Exporting palettes")
      #expect(task.subtitle == "1 of 2")
      #expect(task.fractionCompleted == 0.5)
      #expect(simulator.warnings.isEmpty)
    }
  }

  @Test func `CP3: its own units are told as they are counted`() async throws {
    let goOn = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGContinuedProcessingTask) -> Void = { task in
      task.progress.totalUnitCount = 4
      for _ in 1...4 {
        task.progress.completedUnitCount += 1
        goOn.wait()
      }
      task.setTaskCompleted(success: true)
    }
    try await launch(handler) { _, task in
      for quarter in 1...4 {
        try await task.progress(to: Double(quarter) / 4)
        #expect(task.fractionCompleted == Double(quarter) / 4)
        goOn.signal()
      }
      let end = try await task.end()
      #expect(end == .succeeded)
    }
  }

  @Test func `CP3: what its children count is sampled while the task goes on`() async throws {
    let isSeen = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGContinuedProcessingTask) -> Void = { task in
      task.progress.totalUnitCount = 2
      let child = Progress(totalUnitCount: 10)
      task.progress.addChild(child, withPendingUnitCount: 1)
      child.completedUnitCount = 5
      isSeen.wait()
      // The last reading is made with the completion.
      child.completedUnitCount = 10
      task.setTaskCompleted(success: true)
    }
    try await launch(handler) { simulator, task in
      try await task.progress(to: 0.25)
      #expect(task.fractionCompleted == 0.25)
      isSeen.signal()
      let end = try await task.end()
      #expect(end == .succeeded)
      #expect(task.fractionCompleted == 0.5)
      #expect(simulator.warnings.isEmpty)
    }
  }

  @Test func `CP3: a child that joins by itself is sampled too`() async throws {
    let isSeen = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGContinuedProcessingTask) -> Void = { task in
      task.progress.totalUnitCount = 1
      task.progress.becomeCurrent(withPendingUnitCount: 1)
      let child = Progress(totalUnitCount: 4)
      task.progress.resignCurrent()
      child.completedUnitCount = 1
      isSeen.wait()
      withExtendedLifetime(child) {}
      task.setTaskCompleted(success: true)
    }
    try await launch(handler) { _, task in
      try await task.progress(to: 0.25)
      isSeen.signal()
      let end = try await task.end()
      #expect(end == .succeeded)
    }
  }

  @Test func `CP3: progress that never changes is logged when the task ends`() async throws {
    let handler: @Sendable (BGContinuedProcessingTask) -> Void = { task in
      task.progress.totalUnitCount = 100
      task.setTaskCompleted(success: true)
    }
    try await launch(handler) { simulator, task in
      let end = try await task.end()
      #expect(end == .succeeded)
      #expect(simulator.warnings.count == 1)
      #expect(simulator.warnings[0].contains("its progress.fractionCompleted never changed"))
    }
  }

  @Test func `CP3: so it is when the task stalls`() async throws {
    let isReady = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGContinuedProcessingTask) -> Void = { task in
      task.expirationHandler = { task.setTaskCompleted(success: false) }
      isReady.signal()
    }
    try await launch(handler) { simulator, task in
      await signal(of: isReady)
      task.stall()
      let end = try await task.end()
      #expect(end == .expired)
      #expect(simulator.warnings.contains { $0.contains("stalled, and its progress") })
    }
  }

  @Test func `CP5: a person's cancel calls the expiration handler`() async throws {
    let isReady = DispatchSemaphore(value: 0)
    let handler: @Sendable (BGContinuedProcessingTask) -> Void = { task in
      task.progress.totalUnitCount = 2
      task.progress.completedUnitCount = 1
      task.expirationHandler = { task.setTaskCompleted(success: false) }
      isReady.signal()
    }
    try await launch(handler) { _, task in
      await signal(of: isReady)
      task.cancel()
      let end = try await task.end()
      #expect(end == .expired)
    }
  }
}
