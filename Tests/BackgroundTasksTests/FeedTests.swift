import AppleHandlers5
import AppleHandlers6
import BackgroundTasks
import BackgroundTasksTesting
import Testing

/// One file of an iOS app, compiled in Swift 5 and in Swift 6 mode, as its tests run it in CI.
@Suite("Handlers of an iOS app")
struct FeedTests {
  struct Feed: Sendable {
    var mode: String
    var register: @Sendable () -> Bool
    var startExport: @Sendable () async throws -> Void
    var scheduleCleaning: @Sendable () throws -> Void
  }

  static let feeds = [
    Feed(
      mode: "Swift 5", register: { AppleHandlers5.FeedTasks.register() },
      startExport: { try await AppleHandlers5.FeedTasks.startExport() },
      scheduleCleaning: { try AppleHandlers5.FeedTasks.scheduleCleaning() }),
    Feed(
      mode: "Swift 6", register: { AppleHandlers6.FeedTasks.register() },
      startExport: { try await AppleHandlers6.FeedTasks.startExport() },
      scheduleCleaning: { try AppleHandlers6.FeedTasks.scheduleCleaning() }),
  ]

  private static let permitted: [PermittedTask] = [
    .appRefresh("com.example.feed.refresh"), .processing("com.example.feed.cleaning"),
    .continuedProcessing("com.example.feed.export.*"),
  ]

  @Test func `a file that imports BackgroundTasks alone has Foundation, as on Apple's systems`() {
    for request in [
      AppleHandlers5.FeedDelay.refresh(after: 9), AppleHandlers6.FeedDelay.refresh(after: 9),
    ] {
      #expect(request.earliestBeginDate?.timeIntervalSinceReferenceDate == 9)
    }
  }

  @Test(arguments: feeds) func `a refresh asks for the next one and completes`(feed: Feed)
    async throws
  {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      #expect(feed.register())
      let task = try await simulator.launch("com.example.feed.refresh")
      #expect(try await task.end() == .succeeded)
      let pending = await BGTaskScheduler.shared.pendingTaskRequests()
      #expect(pending.map(\.identifier) == ["com.example.feed.refresh"])
      #expect(pending.first is BGAppRefreshTaskRequest)
      #expect(pending.first?.earliestBeginDate != nil)
    }
  }

  @Test(arguments: feeds) func `a processing request keeps both constraints`(feed: Feed)
    async throws
  {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      #expect(feed.register())
      try feed.scheduleCleaning()
      let pending = await BGTaskScheduler.shared.pendingTaskRequests()
      let request = try #require(pending.first as? BGProcessingTaskRequest)
      #expect(request.requiresExternalPower)
      #expect(request.requiresNetworkConnectivity)

      let task = try await simulator.launch("com.example.feed.cleaning")
      #expect(try await task.end() == .succeeded)
      #expect(await BGTaskScheduler.shared.pendingTaskRequests().isEmpty)
    }
  }

  @Test(arguments: feeds) func `an export counts on until it is expired`(feed: Feed) async throws {
    try await withBackgroundTasks(permitting: Self.permitted) { simulator in
      #expect(feed.register())
      try await feed.startExport()
      let task = try await simulator.launch("com.example.feed.export.palettes")
      #expect(task.title == "Exporting palettes")
      try await task.progress(to: 0.000_002)
      task.expire()
      #expect(try await task.end() == .expired)
      #expect(simulator.warnings.isEmpty)
      #expect(simulator.misuses.isEmpty)
    }
  }
}
