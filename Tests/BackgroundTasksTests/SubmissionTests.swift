import BGRun
import BackgroundTasks
import BackgroundTasksTesting
import Foundation
import Testing

@Suite("Submitting to BGTaskScheduler")
struct SubmissionTests {
  private static let refresh = "com.example.app.refresh"
  private static let cleaning = "com.example.app.cleaning"
  private static let export = "com.example.app.export.a"

  private func simulate(
    _ body: (BackgroundTaskSimulator) async throws -> Void
  ) async throws {
    let permitted: [PermittedTask] = [
      .appRefresh(Self.refresh), .processing(Self.cleaning),
      .continuedProcessing("com.example.app.export.*"),
    ]
    try await withBackgroundTasks(permitting: permitted) { simulator in
      for identifier in [Self.refresh, Self.cleaning, Self.export] {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { task in
          task.setTaskCompleted(success: true)
        }
      }
      try await body(simulator)
    }
  }

  private func error(_ submit: () async throws -> Void) async -> BGTaskScheduler.Error? {
    do {
      try await submit()
      return nil
    } catch {
      return error as? BGTaskScheduler.Error
    }
  }

  @Test func `SB1: submitting again replaces the unstarted request; SB9: what is told are copies`()
    async throws
  {
    try await simulate { _ in
      let scheduler = BGTaskScheduler.shared
      let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
      try scheduler.submit(request)
      let date = Date(timeIntervalSince1970: 4_000_000_000)
      request.earliestBeginDate = date
      #expect(await scheduler.pendingTaskRequests().first?.earliestBeginDate == nil)
      try scheduler.submit(request)
      let pending = await scheduler.pendingTaskRequests()
      #expect(pending.count == 1)
      #expect(pending[0] !== request)
      #expect(pending[0].earliestBeginDate == date)
      pending[0].earliestBeginDate = nil
      #expect(await scheduler.pendingTaskRequests().first?.earliestBeginDate == date)
    }
  }

  @Test func `each way of submitting, asking and cancelling works`() async throws {
    try await simulate { _ in
      let scheduler = BGTaskScheduler.shared
      let answer = await withCheckedContinuation { continuation in
        scheduler.submitTaskRequest(BGProcessingTaskRequest(identifier: Self.cleaning)) {
          continuation.resume(returning: $0.map { "\($0)" })
        }
      }
      #expect(answer == nil)
      try await scheduler.submitTaskRequest(BGAppRefreshTaskRequest(identifier: Self.refresh))
      let classes = await withCheckedContinuation { continuation in
        scheduler.getPendingTaskRequests { requests in
          continuation.resume(returning: requests.map { "\(type(of: $0))" })
        }
      }
      #expect(classes.sorted() == ["BGAppRefreshTaskRequest", "BGProcessingTaskRequest"])
      scheduler.cancel(taskRequestWithIdentifier: Self.cleaning)
      #expect(await scheduler.pendingTaskRequests().map(\.identifier) == [Self.refresh])
      scheduler.cancelAllTaskRequests()
      #expect(await scheduler.pendingTaskRequests().isEmpty)
    }
  }

  @Test func `a completion handler that is written on the main actor may be called off it`()
    async throws
  {
    await #expect(processExitsWith: .success) {
      try await SubmissionTests().simulate { _ in await Screen().submit() }
    }
  }

  @MainActor private final class Screen {
    func submit() async {
      await withCheckedContinuation { continuation in
        let request = BGAppRefreshTaskRequest(identifier: SubmissionTests.refresh)
        BGTaskScheduler.shared.submitTaskRequest(request) { error in
          #expect(error == nil)
          continuation.resume()
        }
      }
      await withCheckedContinuation { continuation in
        BGTaskScheduler.shared.getPendingTaskRequests { requests in
          #expect(requests.map(\.identifier) == [SubmissionTests.refresh])
          continuation.resume()
        }
      }
    }
  }

  @Test func `SB3: what isn't permitted is notPermitted, with the nearest`() async throws {
    try await simulate { _ in
      let request = BGAppRefreshTaskRequest(identifier: "com.example.app.refersh")
      let error = await error { try BGTaskScheduler.shared.submit(request) }
      #expect(error?.code == .notPermitted)
      #expect(error?.localizedDescription.contains("did you mean com.example.app.refresh?") == true)
    }
  }

  @Test func `LC1: a request of another class than the manifest's kind is notPermitted`()
    async throws
  {
    try await simulate { _ in
      let request = BGProcessingTaskRequest(identifier: Self.refresh)
      let error = await error { try BGTaskScheduler.shared.submit(request) }
      #expect(error?.code == .notPermitted)
      #expect(error?.localizedDescription.contains("appRefresh in the manifest") == true)
    }
  }

  @Test func `SB2: Apple's limits hold, and the error shows what is pending`() async throws {
    let many = (1...11).map { "com.example.app.cleaning\($0)" }
    try await withBackgroundTasks(permitting: many.map { .processing($0) }) { _ in
      for identifier in many {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { _ in }
      }
      for identifier in many.dropLast() {
        try BGTaskScheduler.shared.submit(BGProcessingTaskRequest(identifier: identifier))
      }
      let last = BGProcessingTaskRequest(identifier: many[10])
      let error = await error { try BGTaskScheduler.shared.submit(last) }
      #expect(error?.code == .tooManyPendingTaskRequests)
      let sentence = error?.localizedDescription ?? ""
      #expect(sentence.contains("10 processing requests are pending"))
      for identifier in many.dropLast() { #expect(sentence.contains(identifier)) }
    }
  }

  @Test func `SB3: a permitted one without a handler is fatal, with Apple's sentence`()
    async throws
  {
    try await withBackgroundTasks(permitting: [.appRefresh(Self.refresh)]) { simulator in
      let request = BGAppRefreshTaskRequest(identifier: Self.refresh)
      let error = await error { try BGTaskScheduler.shared.submit(request) }
      #expect(error?.code == .unavailable)
      #expect(simulator.misuses.count == 1)
      #expect(
        simulator.misuses[0].hasPrefix(
          "No launch handler registered for task with identifier \(Self.refresh)"))
      #expect(await BGTaskScheduler.shared.pendingTaskRequests().isEmpty)
    }
  }

  @Test func `SB3: outside of a simulation the program ends`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Scheduling.use(PermittingDesk())
      try BGTaskScheduler.shared.submit(
        BGAppRefreshTaskRequest(identifier: "com.example.app.refresh"))
    }
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(errors.contains("No launch handler registered for task with identifier"))
  }

  @Test func `CP1: a continued task is a person's wish in the foreground, and else notPermitted`()
    async throws
  {
    try await simulate { simulator in
      let request = BGContinuedProcessingTaskRequest(
        identifier: Self.export, title: "Exporting", subtitle: "Preparing")
      request.strategy = .fail
      simulator.isInForeground = false
      let error = await error { try await BGTaskScheduler.shared.submitTaskRequest(request) }
      #expect(error?.code == .notPermitted)
      #expect(error?.localizedDescription.contains("when a person asks") == true)

      simulator.isInForeground = true
      try await BGTaskScheduler.shared.submitTaskRequest(request)
      let pending = await BGTaskScheduler.shared.pendingTaskRequests()
      let kept = try #require(pending.first as? BGContinuedProcessingTaskRequest)
      #expect(kept.title == "Exporting")
      #expect(kept.subtitle == "Preparing")
      #expect(kept.strategy == .fail)
      #expect(kept.requiredResources == [])
    }
  }

  @Test func `CP7: a request for a GPU is notPermitted where there is none, with no runner alive`()
    async throws
  {
    try await simulate { _ in
      let request = BGContinuedProcessingTaskRequest(
        identifier: Self.export, title: "Exporting", subtitle: "")
      request.requiredResources = .gpu
      let error = await error { try BGTaskScheduler.shared.submit(request) }
      let hasGPU = BGTaskScheduler.supportedResources.contains(.gpu)
      #expect(error?.code == (hasGPU ? nil : .notPermitted))
      #expect(hasGPU || error?.localizedDescription.contains("no render node") == true)
    }
  }

  @Test func `SB4: a continued task ignores earliestBeginDate`() async throws {
    try await simulate { _ in
      let request = BGContinuedProcessingTaskRequest(
        identifier: Self.export, title: "Exporting", subtitle: "")
      request.earliestBeginDate = Date(timeIntervalSince1970: 4_000_000_000)
      try BGTaskScheduler.shared.submit(request)
      #expect(await BGTaskScheduler.shared.pendingTaskRequests().first?.earliestBeginDate == nil)
    }
  }

  @Test func `CP8: the pattern itself is notPermitted`() async throws {
    try await simulate { _ in
      let request = BGContinuedProcessingTaskRequest(
        identifier: "com.example.app.export.*", title: "", subtitle: "")
      let error = await error { try BGTaskScheduler.shared.submit(request) }
      #expect(error?.code == .notPermitted)
      #expect(error?.localizedDescription.contains("is a pattern") == true)
    }
  }

  @Test func `SB6: without a manifest requests are unavailable, in a sentence`() async throws {
    await #expect(throws: SimulationError.self) {
      try await withBackgroundTasks(manifest: "/nowhere/jobs.yaml") { _ in }
    }
  }
}
