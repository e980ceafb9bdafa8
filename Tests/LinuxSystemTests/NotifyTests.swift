import Glibc
import LinuxSystem
import Testing

@Suite("Notifications")
struct NotifyTests {
  let loop: EventLoop

  init() throws {
    loop = try EventLoop()
  }

  @Test func `a message's lines are read, and those of others passed over`() {
    let text = """
      READY=1
      STATUS=half = done
      X_BGRUN_PROGRESS=3/12
      X_BGRUN_TITLE=Exporting
      EXTEND_TIMEOUT_USEC=1500000
      MAINPID=12
      no assignment

      """
    var expected = NotifyMessage()
    expected.isReady = true
    expected.status = "half = done"
    expected.fraction = 0.25
    expected.title = "Exporting"
    expected.timeExtension = .milliseconds(1500)
    #expect(NotifyMessage(Array(text.utf8)) == expected)
  }

  @Test(arguments: [
    ("3/4", 0.75), ("0/1", 0), ("5/4", 1), ("-1/4", 0), ("1.5/3", 0.5), ("1/0", nil), ("1", nil),
    ("a/b", nil), ("nan/1", nil), ("1/2/3", nil), ("", nil),
  ])
  func `progress is done over total, held in 0…1`(text: String, fraction: Double?) {
    #expect(NotifyMessage.fraction(text) == fraction)
  }

  @Test func `numbers that make no sense are passed over`() {
    #expect(
      NotifyMessage(Array("EXTEND_TIMEOUT_USEC=-1\nX_BGRUN_PROGRESS=x".utf8)) == NotifyMessage())
  }

  static let addresses = ["file", "abstract", "long"]

  @Test(arguments: addresses)
  func `messages arrive with their sender, over a path, a long one or an abstract address`(
    kind: String
  ) throws {
    let folder = TemporaryFolder()
    var address = folder.path + "/socket"
    if kind == "abstract" { address = "@bgrun-test-\(UInt64.random(in: 0...UInt64.max))" }
    if kind == "long" {
      let deep = folder.path + "/" + String(repeating: "x", count: 200)
      try Files.makeFolders(deep)
      address = deep + "/socket"
    }
    var received: [(NotifyMessage, NotifySocket.Sender)] = []
    let socket = try NotifySocket(at: address, on: loop) { received.append(($0, $1)) }
    let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": socket.address]))
    try notifier.deliver("READY=1\nSTATUS=two words")
    notifier.send("STOPPING=1\nEXTEND_TIMEOUT_USEC=3000000")
    try loop.run(until: { received.count == 2 })
    #expect(received[0].0.isReady && received[0].0.status == "two words")
    #expect(received[1].0.isStopping && received[1].0.timeExtension == .seconds(3))
    #expect(received[0].1 == NotifySocket.Sender(process: getpid(), user: getuid()))
  }

  @Test func `a socket left by a dead process is replaced, and removed at the end`() throws {
    let folder = TemporaryFolder()
    let address = folder.path + "/socket"
    try Files.write([], to: address)
    var socket: NotifySocket? = try NotifySocket(at: address, on: loop) { _, _ in }
    #expect(socket?.address == address)
    socket = nil
    #expect(try Files.status(address) == nil)
  }

  @Test func `a sender can wait until its messages were received`() throws {
    let address = "@bgrun-test-\(UInt64.random(in: 0...UInt64.max))"
    var received = 0
    let socket = try NotifySocket(at: address, on: loop) { _, _ in received += 1 }
    let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": address]))
    try notifier.deliver("STATUS=soon gone")
    let thread = Thread { try? notifier.waitUntilReceived(atMost: .seconds(10)) }
    try loop.run(until: { received == 2 })
    thread.join()
    withExtendedLifetime(socket) {}
  }

  @Test func `without NOTIFY_SOCKET nobody is notified, and a dead one is an error`() throws {
    #expect(ServiceNotifier(environment: [:]) == nil)
    let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": "/nowhere/socket"]))
    let error = #expect(throws: SystemError.self) { try notifier.deliver("STATUS=x") }
    notifier.send("STATUS=x")
    #expect(error?.description == "sendmsg /nowhere/socket: No such file or directory")
  }
}
