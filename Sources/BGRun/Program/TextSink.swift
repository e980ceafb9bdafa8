/// Where a command writes: buffered text with the facts about its reader that formatting needs.
///
/// A failed write is remembered, not thrown: what follows is dropped, and the program's funnel
/// decides once what the failure means. Commands that go on for ever look at `failure`.
package final class TextSink {
  /// Why a write failed.
  package enum Failure: Equatable {
    /// The reader went away (EPIPE).
    case closed
    /// The error number of any other failure: a full disk, an unwritable descriptor.
    case system(Int32)
  }

  /// Whether a person reads it.
  package let isTerminal: Bool
  /// Columns of the terminal; nil when it isn't one.
  package var columns: Int? { measure() }
  /// Why the first write failed; nil while all went well.
  package private(set) var failure: Failure?
  private let measure: () -> Int?
  private let capacity: Int
  private let deliver: ([UInt8]) -> Failure?
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - columns: asked each time: a person may change the window.
  ///   - capacity: bytes that may wait; 0 delivers each text at once.
  ///   - deliver: writes all the bytes, or says why it can't.
  package init(
    isTerminal: Bool, columns: @autoclosure @escaping () -> Int? = nil, capacity: Int = 1 << 16,
    deliver: @escaping ([UInt8]) -> Failure?
  ) {
    self.isTerminal = isTerminal
    measure = columns
    self.capacity = capacity
    self.deliver = deliver
  }

  /// Adds text.
  package func write(_ text: String) {
    guard failure == nil else { return }
    pending.append(contentsOf: text.utf8)
    if pending.count > capacity { flush() }
  }

  /// Adds text and a line break.
  package func writeLine(_ text: String = "") {
    write(text)
    write("\n")
  }

  /// Hands over bytes as they are: the output of a job need not be text.
  package func write(bytes: some Sequence<UInt8>) {
    guard failure == nil else { return }
    pending.append(contentsOf: bytes)
    if pending.count > capacity { flush() }
  }

  /// Hands over what waits.
  package func flush() {
    guard failure == nil, !pending.isEmpty else { return }
    failure = deliver(pending)
    pending.removeAll(keepingCapacity: true)
  }
}
