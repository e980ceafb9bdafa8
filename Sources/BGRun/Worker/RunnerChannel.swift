import LinuxSystem
import Synchronization
import TaskHosts

/// A worker's end of the connection to its runner. One thread receives; any thread sends.
final class RunnerChannel: Sendable {
  private struct Incoming {
    var stream = WireFrame()
    var buffer = [UInt8](repeating: 0, count: 65_536)
  }

  private let descriptor: Int32
  private let incoming = Mutex(Incoming())
  private let sending = Mutex(())

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Waits for the next message; nil when the runner is gone, or doesn't make sense.
  func receive() -> MessageToWorker? {
    incoming.withLock { incoming in
      while true {
        do {
          if let message = try MessageToWorker.next(in: &incoming.stream) { return message }
          guard
            case .bytes(let count) = try Descriptors.read(descriptor, into: &incoming.buffer)
          else { return nil }
          incoming.stream.append(incoming.buffer[..<count])
        } catch {
          return nil
        }
      }
    }
  }

  /// Sends a message whole. A runner that is gone is noticed by the thread that receives.
  func send(_ message: MessageFromWorker) {
    let bytes = message.encoded()
    sending.withLock { _ in try? Descriptors.write(all: bytes[...], to: descriptor) }
  }
}
