import BGRun
import JobModel
import LinuxSystem
import Synchronization
import Testing

/// UIKit's calls on top of the ledger: threads, the main actor, what the surroundings are told.
@Suite("A program's background tasks")
struct BackgroundApplicationTests {
  private let lines = Lines()
  private let application: BackgroundApplication

  init() {
    application = BackgroundApplication(keeping: BackgroundKeeping(log: lines.add))
  }

  /// Collects sentences from any thread.
  private final class Lines: Sendable {
    private let all = Mutex<[String]>([])
    var add: @Sendable (String) -> Void { { line in self.all.withLock { $0.append(line) } } }
    var text: String { all.withLock { $0.joined(separator: "\n") } }
  }

  @Test func `BG4: in the foreground the time has no end`() {
    #expect(application.backgroundTimeRemaining == .greatestFiniteMagnitude)
    application.keeping.enterBackground(.idle, for: .seconds(600))
    #expect((590...600).contains(application.backgroundTimeRemaining))
  }

  @Test func `BG7: without a name it is the caller's function`() async {
    let leak = await leakedTask { application in
      _ = application.beginBackgroundTask(withName: nil)
    }
    #expect(leak?.name == #function)
    #expect(
      leak?.site.description.hasPrefix("BGRunTests/BackgroundApplicationTests.swift:") == true)
  }

  /// What is reported of a task that `begin` has begun and nobody ends.
  private func leakedTask(
    _ begin: (BackgroundApplication) -> Void
  ) async -> BackgroundLeak.Task? {
    let (stream, continuation) = AsyncStream.makeStream(of: BackgroundLeak.self)
    application.keeping.observe(
      .init(holding: { _, _ in }, exhausted: { continuation.yield($0) }))
    begin(application)
    application.keeping.enterBackground(.idle, for: .zero)
    for await leak in stream { return leak.tasks.first }
    return nil
  }

  @Test func `BG5: expiration handlers run on the main actor, and one that ends its task saves it`()
    async
  {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    application.keeping.observe(
      .init(
        holding: { isHolding, _ in if !isHolding { continuation.yield("released") } },
        exhausted: { _ in continuation.yield("exhausted") }))
    let begun = Begun()
    begun.task = application.beginBackgroundTask(withName: "upload") { [application] in
      MainActor.preconditionIsolated()
      application.endBackgroundTask(begun.task)
    }
    application.keeping.enterBackground(.idle, for: .zero)
    for await event in stream {
      #expect(event == "released")
      break
    }
  }

  private final class Begun: Sendable {
    private let identifier = Mutex(UIBackgroundTaskIdentifier.invalid)
    var task: UIBackgroundTaskIdentifier {
      get { identifier.withLock { $0 } }
      set { identifier.withLock { $0 = newValue } }
    }
  }

  @Test func `BG5: the report says of a handler that returned without ending its task so`() async {
    let leak = await leakedTask { application in
      _ = application.beginBackgroundTask(withName: "upload") {}
    }
    #expect(leak?.handler == .returned)
    #expect(lines.text.contains("its expiration handler returned without ending it"))
  }

  @Test func `BG7: begins and ends from many threads keep their count and their order`() async {
    let states = Mutex<[Bool]>([])
    application.keeping.observe(
      .init(
        holding: { isHolding, _ in states.withLock { $0.append(isHolding) } }, exhausted: { _ in }))
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask { [application] in
          for _ in 0..<500 {
            application.endBackgroundTask(application.beginBackgroundTask(withName: "x"))
          }
        }
      }
    }
    #expect(!application.keeping.isHolding)
    let told = states.withLock { $0 }
    // First begun, last ended, in turn.
    #expect(told.enumerated().allSatisfy { $0.element == $0.offset.isMultiple(of: 2) })
    #expect(told.last == false)
  }

  @Test func `BG10: an activity is called with false, and its end releases the program`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    application.keeping.observe(
      .init(
        holding: { isHolding, _ in continuation.yield(isHolding ? "held" : "released") },
        exhausted: { _ in continuation.yield("exhausted") }))
    application.performExpiringActivity(withReason: "sync") { isExpired in
      continuation.yield("called with \(isExpired)")
    }
    var seen: [String] = []
    for await event in stream {
      seen.append(event)
      if event == "released" { break }
    }
    #expect(seen == ["held", "called with false", "released"])
  }

  @Test func `BG10: on expiry it is called with true while the first call goes on`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    let bell = Bell()
    application.keeping.observe(
      .init(
        holding: { isHolding, _ in if !isHolding { continuation.yield("released") } },
        exhausted: { _ in continuation.yield("exhausted") }))
    application.performExpiringActivity(withReason: "sync") { isExpired in
      continuation.yield("called with \(isExpired)")
      if isExpired { bell.ring() } else { bell.wait() }
    }
    // The pool starts when the first call is there to see its end.
    var seen: [String] = []
    for await event in stream {
      seen.append(event)
      if event == "called with false" { application.keeping.enterBackground(.idle, for: .zero) }
      if event == "released" { break }
    }
    #expect(seen == ["called with false", "called with true", "released"])
  }

  @Test func `BG10: where no time is granted it is called once, with true`() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    application.keeping.enterBackground(.idle, for: .zero)
    application.performExpiringActivity(withReason: "sync") { continuation.yield($0) }
    for await isExpired in stream {
      #expect(isExpired)
      break
    }
    #expect(lines.text.contains("'sync' is refused"))
    #expect(!application.keeping.isHolding)
  }

  @Test func `UIKit's exact signatures stand for a protocol, without a place to name`() async {
    let leak = await leakedTask { application in
      let keeping: any KeepsAwake = application
      let ended = keeping.beginBackgroundTask(withName: "upload", expirationHandler: nil)
      keeping.endBackgroundTask(ended)
      let begin = keeping.beginBackgroundTask(expirationHandler:)
      _ = begin(nil)
    }
    #expect(leak?.name == "unnamed")
    #expect(leak?.site == .unknown)
    #expect(lines.text.contains("'unnamed' was begun at a place that is not known"))
    #expect(!lines.text.contains("upload"))
  }

  @Test func `BG6: an end too many is logged with where it was`() {
    let task = application.beginBackgroundTask(withName: "upload")
    application.endBackgroundTask(task)
    application.endBackgroundTask(task)
    #expect(
      lines.text.contains(
        "the background task 'upload', begun at BGRunTests/BackgroundApplicationTests.swift:"))
  }

  @Test func `BG1: whoever begins to watch learns of what is held already`() {
    _ = application.beginBackgroundTask(withName: "early")
    let told = Mutex<Bool?>(nil)
    application.keeping.observe(
      .init(holding: { isHolding, _ in told.withLock { $0 = isHolding } }, exhausted: { _ in }))
    #expect(told.withLock { $0 } == true)
  }
}

/// How apps make UIApplication replaceable in their own tests.
private protocol KeepsAwake {
  func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)?
  ) -> UIBackgroundTaskIdentifier
  func beginBackgroundTask(
    expirationHandler handler: (@MainActor @Sendable () -> Void)?
  ) -> UIBackgroundTaskIdentifier
  func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier)
  func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void)
  var backgroundTimeRemaining: Double { get }
}

extension BackgroundApplication: KeepsAwake {}
