import BGRun
import BackgroundTasks
import Dispatch
import Foundation
import Testing

/// The program's background time is one for the process, so each test has a process of its own.
@Suite("An expiring activity")
struct ExpiringActivityTests {
  @Test func `BG10: it is called with false when time is granted`() async {
    await #expect(processExitsWith: .exitCode(7)) {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
        ProcessInfo.processInfo.performExpiringActivity(withReason: "save") { isExpired in
          exit(isExpired ? 8 : 7)
        }
      }
    }
  }

  @Test func `BG10: it is called once, with true, where the time is over`() async {
    await #expect(processExitsWith: .exitCode(8)) {
      BackgroundApplication.shared.keeping.enterBackground(.sentAway, for: .zero)
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in
        ProcessInfo.processInfo.performExpiringActivity(withReason: "save") { isExpired in
          exit(isExpired ? 8 : 7)
        }
      }
    }
  }
}
