import BGRun
import LinuxSystem
import Synchronization
import Testing

@Suite("bgrun notify")
struct NotifyCommandTests {
  /// A runner's end of the protocol, on a thread of its own, for one message.
  private final class Listener: Sendable {
    private let received = Mutex<NotifyMessage?>(nil)
    private let isListening = Bell()
    private let hasReceived = Bell()

    init(at address: String) {
      let code = DetachedThread.start { [self] in
        guard let loop = try? EventLoop(),
          let socket = try? NotifySocket(
            at: address, on: loop,
            { [self] message, _ in
              // What waits for the receipt is a message too, without content.
              received.withLock { $0 = $0 ?? message }
              loop.stop()
            })
        else {
          Issue.record("can't listen at \(address)")
          isListening.ring()
          hasReceived.ring()
          return
        }
        isListening.ring()
        try? loop.run()
        // The sender's barrier comes behind the message.
        socket.receivePending()
        _ = try? loop.runOnce(waitingAtMost: .seconds(2))
        hasReceived.ring()
      }
      if code != 0 { Issue.record("no thread: \(code)") }
      isListening.wait()
    }

    func message() -> NotifyMessage? {
      hasReceived.wait()
      return received.withLock { $0 }
    }
  }

  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  @Test func `tells the runner everything in one message`() {
    let address = "\(bench.folder)/notify"
    let listener = Listener(at: address)
    bench.environment["NOTIFY_SOCKET"] = address
    let outcome = bench.run(
      "notify", "--progress", "3/4", "--title", "Packing", "--status", "photo 3 of 4",
      "--extend", "90s")
    #expect(outcome == Bench.Outcome(code: .done, output: "", errors: ""))
    let message = listener.message()
    #expect(message?.fraction == 0.75)
    #expect(message?.title == "Packing")
    #expect(message?.status == "photo 3 of 4")
    #expect(message?.timeExtension == .seconds(90))
  }

  @Test func `outside a run nobody listens, and it says so`() {
    #expect(
      bench.run("notify", "--status", "x")
        == Bench.Outcome(
          code: .notDone, output: "",
          errors: """
            bgrun: nobody listens: NOTIFY_SOCKET isn't set
            'bgrun notify' is for commands that a runner has started.

            """))
  }

  @Test func `a runner that is gone is said`() {
    bench.environment["NOTIFY_SOCKET"] = "\(bench.folder)/gone"
    let outcome = bench.run("notify", "--status", "x")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.hasPrefix("bgrun: can't tell the runner: "))
  }

  @Test func `needs something to tell, on one line`() {
    #expect(
      bench.run("notify").errors == """
        bgrun: 'notify' needs something to tell: --progress, --title, --status or --extend
        Help: bgrun help notify

        """)
    bench.environment["NOTIFY_SOCKET"] = "\(bench.folder)/gone"
    #expect(
      bench.run("notify", "--title", "two\nlines").errors
        == "bgrun: the text for X_BGRUN_TITLE holds a line break, which the protocol can't carry\n")
  }
}
