import JobModel
import LinuxSystem
import Synchronization
import TaskHosts

/// A worker's end of the connection to its runner. One thread receives; any thread sends.
final class RunnerChannel: SchedulerDesk {
  private struct Incoming {
    var stream = WireFrame()
    var buffer = [UInt8](repeating: 0, count: 65_536)
  }

  private struct Questions {
    var last: UInt32 = 0
    var awaited: [UInt32: @Sendable (SchedulerAnswer) -> Void] = [:]
  }

  private let descriptor: Int32
  private let permitted = Mutex<[HandlerPermission]>([])
  private let questions = Mutex(Questions())
  private let incoming = Mutex(Incoming())
  private let sending = Mutex(())

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Waits for the first message: what the manifest permits.
  ///
  /// - Returns: false when something else came, or nothing.
  func receivePermissions() -> Bool {
    guard case .message(.permit(let permissions)) = receive() else { return false }
    permitted.withLock { $0 = permissions }
    return true
  }

  var givesWay: Bool { false }

  var permissions: [HandlerPermission] { permitted.withLock { $0 } }

  enum Arrival {
    case message(MessageToWorker)
    /// Nothing came until the deadline.
    case nothing
    /// The runner is gone, or doesn't make sense.
    case end
  }

  /// Waits for the next message, at most until the deadline.
  func receive(until deadline: MonotonicInstant? = nil) -> Arrival {
    incoming.withLock { incoming in
      while true {
        do {
          if let message = try MessageToWorker.next(in: &incoming.stream) {
            return .message(message)
          }
          guard Descriptors.waitForInput(descriptor, until: deadline?.nanoseconds) else {
            return .nothing
          }
          guard
            case .bytes(let count) = try Descriptors.read(descriptor, into: &incoming.buffer)
          else { return .end }
          incoming.stream.append(incoming.buffer[..<count])
        } catch {
          return .end
        }
      }
    }
  }

  /// Sends a message whole. A runner that is gone is noticed by the thread that receives.
  func send(_ message: MessageFromWorker) {
    let bytes = message.encoded()
    sending.withLock { _ in try? Descriptors.write(all: bytes[...], to: descriptor) }
  }

  /// Asks the runner; `answer` is called on the thread that receives.
  func ask(
    _ question: SchedulerQuestion, answer: @escaping @Sendable (SchedulerAnswer) -> Void
  ) {
    let number = questions.withLock { questions in
      questions.last &+= 1
      questions.awaited[questions.last] = answer
      return questions.last
    }
    send(.ask(number, question))
  }

  /// Hands the runner's answer to whoever asked.
  func take(_ answer: SchedulerAnswer, to number: UInt32) {
    questions.withLock { $0.awaited.removeValue(forKey: number) }?(answer)
  }
}
