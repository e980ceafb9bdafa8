import JobModel
import TaskHosts
import Testing

@Suite("Messages between a runner and its workers")
struct WorkerMessageTests {
  static let toWorker: [MessageToWorker] = [
    .permit([
      HandlerPermission(identifier: "com.example.a", kind: .appRefresh, handler: "com.example.a"),
      HandlerPermission(identifier: "com.example.b.*", kind: .continuedProcessing, handler: "b"),
    ]),
    .permit([]),
    .launch(launch()),
    .launch(
      launch {
        $0.deadline = WallInstant(microseconds: -5)
        $0.monotonicDeadline = MonotonicInstant(nanoseconds: .max)
        $0.title = "Exporting ünïcode"
        $0.subtitle = ""
      }),
    .launch(launch { $0.backgroundTime = .milliseconds(1500) }),
    .expire(RunNumber(7), .timeLimit),
    .enterBackground(.seconds(30)),
    .enterForeground,
  ]

  static let fromWorker: [MessageFromWorker] = [
    .ready,
    .progressed(RunNumber(1), ProgressReport(fraction: 0.25, title: "a", subtitle: "b")),
    .progressed(RunNumber(1), ProgressReport(extending: .seconds(3))),
    .completed(RunNumber(.max), completed(.succeeded)),
    .completed(RunNumber(2), completed(.failed(.handlerThrew, detail: "the feed is empty"))),
    .completed(RunNumber(3), completed(.failed(.neverCompleted, detail: nil))),
    .holding,
    .released(hasLeftovers: true),
    .leaked("1 background task was still begun"),
  ]

  private static func launch(_ change: (inout WorkerLaunch) -> Void = { _ in }) -> WorkerLaunch {
    var launch = WorkerLaunch(
      run: RunNumber(42), identifier: "com.example.a", key: "k", handler: "h",
      parameters: #"{"a":1}"#, attempt: 3, scheduledFor: WallInstant(seconds: 1000),
      jobFolder: "/jobs", manifestFolder: "/manifest")
    change(&launch)
    return launch
  }

  private static func completed(_ completion: HandlerCompletion) -> MessageFromWorker.Completed {
    MessageFromWorker.Completed(
      completion, progress: 1,
      usage: WorkerUsage(peakMemory: 1 << 33, processorTime: .microseconds(12)),
      hasLeftovers: true, hasReachedLimit: completion != .succeeded)
  }

  @Test(arguments: toWorker)
  func `what a runner sends arrives as it was`(message: MessageToWorker) throws {
    var stream = WireFrame()
    stream.append(message.encoded()[...])
    #expect(try MessageToWorker.next(in: &stream) == message)
    #expect(try MessageToWorker.next(in: &stream) == nil)
  }

  @Test(arguments: fromWorker)
  func `what a worker sends arrives as it was`(message: MessageFromWorker) throws {
    var stream = WireFrame()
    stream.append(message.encoded()[...])
    #expect(try MessageFromWorker.next(in: &stream) == message)
    #expect(try MessageFromWorker.next(in: &stream) == nil)
  }

  @Test func `messages are found wherever the stream is cut`() throws {
    var stream = WireFrame()
    var found: [MessageFromWorker] = []
    for byte in Self.fromWorker.flatMap({ $0.encoded() }) {
      stream.append([byte])
      while let message = try MessageFromWorker.next(in: &stream) { found.append(message) }
    }
    #expect(found == Self.fromWorker)
  }

  @Test(arguments: fromWorker)
  func `a message that ends too early isn't accepted`(message: MessageFromWorker) {
    let whole = message.encoded()
    for length in 2..<(whole.count - 4) {
      var stream = WireFrame()
      stream.append((Self.bytes(ofLength: length) + whole[4..<(4 + length)])[...])
      #expect(throws: WireMistake.self) { try MessageFromWorker.next(in: &stream) }
    }
  }

  @Test func `a message with bytes behind its end isn't accepted`() {
    let whole = MessageFromWorker.ready.encoded()
    var stream = WireFrame()
    stream.append((Self.bytes(ofLength: whole.count - 4 + 1) + whole[4...] + [0])[...])
    #expect(throws: WireMistake.self) { try MessageFromWorker.next(in: &stream) }
  }

  @Test(arguments: [0, 1, 16 << 20 + 1, 0xFFFF_FFFF])
  func `a length that no message has is garbage at once`(length: Int) {
    var stream = WireFrame()
    stream.append(Self.bytes(ofLength: length)[...])
    #expect(throws: WireMistake.self) { try MessageFromWorker.next(in: &stream) }
  }

  @Test func `another version is told, not guessed at`() {
    var bytes = MessageFromWorker.ready.encoded()
    bytes[4] = 9
    var stream = WireFrame()
    stream.append(bytes[...])
    let mistake = #expect(throws: WireMistake.self) { try MessageFromWorker.next(in: &stream) }
    #expect(mistake?.sentence == "protocol version 9")
  }

  @Test func `no change of a byte is more than another message or a mistake`() {
    for message in Self.fromWorker {
      let whole = message.encoded()
      for index in whole.indices {
        for flip in [UInt8(1), 0x80, 0xFF] {
          var bytes = whole
          bytes[index] ^= flip
          var stream = WireFrame()
          stream.append(bytes[...])
          var count = 0
          while (try? MessageFromWorker.next(in: &stream)) ?? nil != nil { count += 1 }
          #expect(count <= 1)
        }
      }
    }
  }

  @Test func `a list's count that isn't true costs nothing`() {
    var bytes = MessageToWorker.permit([]).encoded()
    for index in 6..<10 { bytes[index] = 0xFF }
    var stream = WireFrame()
    stream.append(bytes[...])
    #expect(throws: WireMistake.self) { try MessageToWorker.next(in: &stream) }
  }

  private static func bytes(ofLength length: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
  }
}
