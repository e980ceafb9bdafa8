import JobModel
import LinuxSystem

/// The runner's end of the connection to one worker: whole messages, in order.
final class WorkerConnection {
  /// What came from the worker.
  enum Arrival {
    case message(MessageFromWorker)
    case garbage(WireMistake)
    /// The worker's end is closed.
    case end
  }

  private let sockets: SocketPair
  private let loop: EventLoop
  private let buffer: ReadBuffer
  private let handler: (Arrival) -> Void
  private var watch: Watch?
  private var stream = WireFrame()
  /// What the socket had no room for yet.
  private var unsent: ArraySlice<UInt8> = []
  private var isOver = false

  /// - Parameters:
  ///   - buffer: shared by all connections of a loop: its content is used up at once.
  ///   - handler: takes what comes; after garbage or the end nothing follows.
  init(
    buffer: ReadBuffer, on loop: EventLoop, _ handler: @escaping (Arrival) -> Void
  ) throws(SystemError) {
    sockets = try SocketPair()
    self.loop = loop
    self.buffer = buffer
    self.handler = handler
    try watch(for: .readable)
  }

  /// The worker's end, until `handOver`.
  var workerEnd: Int32 { sockets.farEnd }

  /// The worker has its end: the copy here is closed.
  func handOver() { sockets.closeFarEnd() }

  /// Sends a message; one to a worker that is gone throws, if that is known already.
  func send(_ message: MessageToWorker) throws(SystemError) {
    let wasWaiting = !unsent.isEmpty
    unsent += message.encoded()
    if !wasWaiting { try flush() }
  }

  /// Takes what has arrived.
  func receivePending() {
    while !isOver {
      let reading: Descriptors.Reading
      do {
        reading = try Descriptors.read(sockets.nearEnd, into: &buffer.bytes)
      } catch {
        return finish(.end)
      }
      switch reading {
      case .wouldBlock: return
      case .end: return finish(.end)
      case .bytes(let count):
        stream.append(buffer.bytes[..<count])
        takeMessages()
        // A short read has emptied the socket.
        if count < buffer.bytes.count { return }
      }
    }
  }

  /// Nothing is received from now on.
  func close() {
    isOver = true
    watch?.cancel()
    watch = nil
  }

  private func takeMessages() {
    while !isOver {
      do throws(WireMistake) {
        guard let message = try MessageFromWorker.next(in: &stream) else { return }
        handler(.message(message))
      } catch {
        finish(.garbage(error))
      }
    }
  }

  private func finish(_ arrival: Arrival) {
    close()
    handler(arrival)
  }

  private func flush() throws(SystemError) {
    while !unsent.isEmpty {
      let written = try Descriptors.writeSome(unsent, to: sockets.nearEnd)
      if written == 0 { return try watch(for: [.readable, .writable]) }
      unsent = unsent.dropFirst(written)
    }
    unsent = []
  }

  private func watch(for interest: EventLoop.Interest) throws(SystemError) {
    watch?.cancel()
    watch = try loop.watch(sockets.nearEnd, for: interest) { [unowned self] readiness in
      if readiness.contains(.writable) { sendRest() }
      if readiness.contains(.readable) { receivePending() }
    }
  }

  private func sendRest() {
    do throws(SystemError) {
      try flush()
      if unsent.isEmpty { try watch(for: .readable) }
    } catch {
      finish(.end)
    }
  }
}
