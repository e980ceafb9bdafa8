import AppleHandlers5
import AppleHandlers6
import BGRun
import BackgroundTasks
import Foundation
import Testing

/// The program's background time is one for the process, so each test has a process of its own, which
/// ends with what it was told first. The calls are those of an iOS app's file.
@Suite("An expiring activity")
struct ExpiringActivityTests {
  static func tell(_ isExpired: Bool) { exit(isExpired ? 8 : 7) }

  @Test func `BG10: it is called with false when time is granted`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      AppleHandlers6.FeedTasks.save { ExpiringActivityTests.tell($0) }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    await #expect(processExitsWith: .exitCode(7)) {
      AppleHandlers5.FeedTasks.activity("save") { ExpiringActivityTests.tell($0) }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }

  @Test func `BG10: it is called with true, and only so, where the time is over`() async {
    await #expect(processExitsWith: .exitCode(8)) {
      BackgroundApplication.shared.keeping.enterBackground(.sentAway, for: .zero)
      AppleHandlers5.FeedTasks.save { ExpiringActivityTests.tell($0) }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
  }
}
