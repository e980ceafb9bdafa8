import BGRun
import BackgroundTasks
import BackgroundTasksTesting
import Dispatch
import Foundation
import Synchronization
import Testing

/// A task that only completes.
private func complete(_ task: BGTask) { task.setTaskCompleted(success: true) }

@Suite("Registering with BGTaskScheduler")
struct RegistrationTests {
  private static let permitted: [PermittedTask] = [
    .appRefresh("com.example.app.refresh"), .processing("com.example.app.cleaning"),
    .continuedProcessing("com.example.app.export.*"),
  ]

  private func register(_ identifier: String, on queue: DispatchQueue? = nil) -> Bool {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: identifier, using: queue, launchHandler: complete)
  }

  @Test func `RG1: what isn't permitted is false, and the log names the nearest`() async throws {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      let isRegistered = BGTaskScheduler.shared.register(
        forTaskWithIdentifier: "com.example.app.refersh", using: nil, launchHandler: complete)
      let line = #line - 2
      #expect(!isRegistered)
      #expect(
        simulator.warnings == [
          "BackgroundTasksTests/RegistrationTests.swift:\(line): no launch handler was registered for "
            + "com.example.app.refersh: the manifest has no such job with a handler; did you mean "
            + "com.example.app.refresh?"
        ])
      #expect(register("com.example.app.refresh"))
      #expect(simulator.misuses.isEmpty)
    }
  }

  @Test func `RG7: a pattern can't be registered, and the log says what can`() async throws {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      #expect(!register("com.example.app.export.*"))
      #expect(simulator.warnings.count == 1)
      #expect(simulator.warnings[0].contains("com.example.app.export.NAME"))
      #expect(register("com.example.app.export.palette.7"))
    }
  }

  @Test func `RG7: several patterns of one program are permitted together`() async throws {
    let permitted: [PermittedTask] = [
      .continuedProcessing("com.example.app.export.*"),
      .continuedProcessing("com.example.app.import.photos.*"),
      .appRefresh("com.example.app.refresh"),
    ]
    try await withBackgroundTasks(permitting: permitted) { simulator in
      #expect(register("com.example.app.export.a"))
      #expect(register("com.example.app.import.photos.b"))
      #expect(simulator.warnings.isEmpty)
    }
  }

  @Test func `RG2: too late is fatal with Apple's sentence; RG3: not for continued tasks`()
    async throws
  {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      #expect(register("com.example.app.refresh"))
      simulator.finishLaunching()
      #expect(!register("com.example.app.cleaning"))
      #expect(register("com.example.app.export.a"))
      #expect(simulator.misuses.count == 1)
      #expect(
        simulator.misuses[0].contains(
          "All launch handlers must be registered before application finishes launching"))
      #expect(simulator.misuses[0].contains("com.example.app.cleaning"))
    }
  }

  @Test func `RG4: twice is fatal and names both call sites`() async throws {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      BGTaskScheduler.shared.register(
        forTaskWithIdentifier: "com.example.app.refresh", using: nil, launchHandler: complete)
      let first = #line - 2
      BGTaskScheduler.shared.register(
        forTaskWithIdentifier: "com.example.app.refresh", using: nil, launchHandler: complete)
      let second = #line - 2
      let file = "BackgroundTasksTests/RegistrationTests.swift"
      #expect(
        simulator.misuses == [
          "\(file):\(second): a handler for com.example.app.refresh is already registered at "
            + "\(file):\(first)"
        ])
    }
  }

  /// How apps make the scheduler replaceable in their own tests.
  private protocol Registering {
    func register(
      forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
      launchHandler: @escaping (BGTask) -> Void
    ) -> Bool
    func submit(_ taskRequest: BGTaskRequest) throws
  }
  private struct Wrapped: Registering {
    let scheduler = BGTaskScheduler.shared
    func register(
      forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
      launchHandler: @escaping (BGTask) -> Void
    ) -> Bool {
      let register = scheduler.register(forTaskWithIdentifier:using:launchHandler:)
      return register(identifier, queue, launchHandler)
    }
    func submit(_ taskRequest: BGTaskRequest) throws { try scheduler.submit(taskRequest) }
  }

  @Test func `Apple's exact signature is there as a function value, without a place to name`()
    async throws
  {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      let scheduler: any Registering = Wrapped()
      for _ in 1...2 {
        _ = scheduler.register(
          forTaskWithIdentifier: "com.example.app.refresh", using: nil, launchHandler: complete)
      }
      #expect(
        simulator.misuses == [
          "a place that is not known: a handler for com.example.app.refresh is already registered "
            + "at a place that is not known"
        ])
    }
  }

  @Test func `RG4: outside of a simulation the program ends, and says why`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Scheduling.use(PermittingDesk())
      for _ in 1...2 {
        BGTaskScheduler.shared.register(
          forTaskWithIdentifier: "com.example.app.refresh", using: nil, launchHandler: { _ in })
      }
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.contains("a handler for com.example.app.refresh is already registered at"))
  }

  @Test func `RG5: a queue of one's own is used, and nil is a serial one off the main thread`()
    async throws
  {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      let key = DispatchSpecificKey<String>()
      let queue = DispatchQueue(label: "app")
      queue.setSpecific(key: key, value: "app")
      let seen = Mutex<[String?]>([])
      let note: @Sendable (BGTask) -> Void = { task in
        seen.withLock { $0.append(DispatchQueue.getSpecific(key: key)) }
        #expect(!Thread.isMainThread)
        task.setTaskCompleted(success: true)
      }
      BGTaskScheduler.shared.register(
        forTaskWithIdentifier: "com.example.app.refresh", using: queue, launchHandler: note)
      BGTaskScheduler.shared.register(
        forTaskWithIdentifier: "com.example.app.cleaning", using: nil, launchHandler: note)
      _ = try await simulator.launch("com.example.app.refresh").end()
      _ = try await simulator.launch("com.example.app.cleaning").end()
      #expect(seen.withLock { $0 } == ["app", nil])
    }
  }

  @Test func `LC1: the task's class is that of the manifest's kind`() async throws {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      let classes = Mutex<[String]>([])
      let identifiers = [
        "com.example.app.refresh", "com.example.app.cleaning", "com.example.app.export.a",
      ]
      for identifier in identifiers {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
          #expect(task.identifier == identifier)
          classes.withLock { $0.append("\(type(of: task))") }
          (task as? BGContinuedProcessingTask)?.progress.totalUnitCount = 1
          (task as? BGContinuedProcessingTask)?.progress.completedUnitCount = 1
          task.setTaskCompleted(success: true)
        }
        let end = try await simulator.launch(identifier).end()
        #expect(end == .succeeded)
      }
      #expect(
        classes.withLock { $0 } == [
          "BGAppRefreshTask", "BGProcessingTask", "BGContinuedProcessingTask",
        ])
    }
  }

  @Test func `a handler of the main actor works on the main queue`() async throws {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      let model = Model()
      await model.register(on: .main)
      let end = try await simulator.launch("com.example.app.refresh").end()
      #expect(end == .succeeded)
      #expect(await model.launches == 1)
    }
  }

  @Test func `a handler of the main actor traps on a background queue, as on Apple's systems`()
    async throws
  {
    let result = try await #require(
      processExitsWith: .signal(Self.trap), observing: [\.standardOutputContent]
    ) {
      try await withBackgroundTasks(permitting: [.appRefresh("com.example.app.refresh")]) {
        simulator in
        let model = Model()
        await model.register(on: nil)
        FileHandle.standardOutput.write(Data("launching".utf8))
        _ = try await simulator.launch("com.example.app.refresh").end()
      }
    }
    #expect(String(decoding: result.standardOutputContent, as: UTF8.self).contains("launching"))
  }

  #if arch(x86_64)
    private static let trap = SIGILL
  #else
    private static let trap = SIGTRAP
  #endif
}

@MainActor private final class Model {
  var launches = 0

  func register(on queue: DispatchQueue?) {
    BGTaskScheduler.shared.register(
      forTaskWithIdentifier: "com.example.app.refresh", using: queue
    ) { task in
      self.launches += 1
      task.setTaskCompleted(success: true)
    }
  }
}
