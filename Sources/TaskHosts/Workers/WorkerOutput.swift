import JobModel
import LinuxSystem

/// A worker's standard output and error: one pipe for its whole life, emptied into one run's log
/// after the other.
final class WorkerOutput {
  /// Where it goes: to a run, and after its end still to it until the next one starts.
  var log: RunLog

  private let pipe: Pipe
  private let buffer: ReadBuffer
  private var watch: Watch?

  init(to log: RunLog, buffer: ReadBuffer, on loop: EventLoop) throws(SystemError) {
    self.log = log
    self.buffer = buffer
    pipe = try Pipe()
    watch = try loop.watch(pipe.readEnd, for: .readable) { [unowned self] _ in
      // One buffer a round, so that a chatty run doesn't hold up the others.
      take(rounds: 1)
    }
  }

  /// The worker's end, until `handOver`.
  var workerEnd: Int32 { pipe.writeEnd }

  /// The worker has its end: the copy here is closed.
  func handOver() { pipe.closeWriteEnd() }

  /// Takes all that has arrived.
  func takeAll() { take(rounds: .max) }

  /// Nothing is taken from now on.
  func close() { watch?.cancel() }

  private func take(rounds: Int) {
    for _ in 0..<rounds {
      switch try? Descriptors.read(pipe.readEnd, into: &buffer.bytes) {
      case .bytes(let count): log.append(buffer.bytes[..<count])
      case .wouldBlock: return
      case .end, nil: return close()
      }
    }
  }
}
