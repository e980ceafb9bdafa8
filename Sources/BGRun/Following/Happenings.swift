import JobModel
import LinuxSystem

/// What a command that follows something waits for, one at a time, without polling.
///
/// A command asks for the next happening and goes on in plain sequence; the loop, the watches and
/// the signal stay in here.
final class Happenings {
  enum Happening: Equatable {
    /// A watched file changed: look again.
    case changed
    /// The person pressed Ctrl-C.
    case interrupted
    /// The person pressed Ctrl-Z.
    case suspended
    /// The person typed a line; nil: the input has ended.
    case typed(String?)
    /// Nothing else happened within the time that was allowed.
    case elapsed
  }

  /// How often whoever follows something looks by itself: a process that was killed tells nothing.
  static let lookInterval = Duration.seconds(1)

  private let loop: EventLoop
  private var watch: FileWatch?
  private var interrupts: AnyObject?
  private var suspensions: AnyObject?
  private var keyboard: Watch?
  private var typed: [UInt8] = []
  private var waiting: [Happening] = []

  /// - Parameter paths: files whose times tell of a change (decision 21); each must exist.
  init(watchingTimesOf paths: [String], in context: CommandContext) throws(CommandFailure) {
    do {
      loop = try EventLoop()
      interrupts = try context.watchInterrupts(loop) { [unowned self] in add(.interrupted) }
      suspensions = try context.watchSuspensions(loop) { [unowned self] in add(.suspended) }
      watch = try FileWatch(on: loop) { [unowned self] _ in add(.changed) }
    } catch {
      throw Self.failure(error)
    }
    for path in paths { try watch(path, for: .attributes) }
  }

  /// Tells of what is written to one more file or folder, which must exist.
  func watch(_ path: String) throws(CommandFailure) {
    try watch(path, for: [.modified, .created, .movedIn])
  }

  private func watch(
    _ path: String, for changes: FileWatch.Changes
  ) throws(CommandFailure) {
    do {
      try watch?.add(path, for: changes)
    } catch {
      throw Self.failure(error)
    }
  }

  private static func failure(_ error: SystemError) -> CommandFailure {
    .notDone("can't watch for changes: \(error)")
  }

  /// The next happening; several changes that come together are one.
  ///
  /// - Parameter limit: nil waits as long as it takes.
  func next(waitingAtMost limit: Duration? = nil) throws(CommandFailure) -> Happening {
    while waiting.isEmpty {
      do {
        if try !loop.runOnce(waitingAtMost: limit) { return .elapsed }
      } catch {
        throw .notDone("can't wait for changes: \(error)")
      }
    }
    return waiting.removeFirst()
  }

  /// Starts to report typed lines.
  func listen(to input: TextSource) throws(CommandFailure) {
    guard keyboard == nil else { return }
    do {
      keyboard = try loop.watch(input.descriptor, for: .readable) { [unowned self] _ in
        readKeyboard(input.descriptor)
      }
    } catch {
      throw .notDone("can't read the answer: \(error)")
    }
  }

  /// Stops to report typed lines.
  func stopListening() {
    keyboard = nil
    typed = []
    waiting.removeAll { if case .typed = $0 { true } else { false } }
  }

  private func add(_ happening: Happening) {
    if happening != waiting.last { waiting.append(happening) }
  }

  private func readKeyboard(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1024)
    guard case .bytes(let count)? = try? Descriptors.read(descriptor, into: &buffer) else {
      keyboard = nil
      waiting.append(.typed(nil))
      return
    }
    typed += buffer[..<count]
    while let end = typed.firstIndex(of: UInt8(ascii: "\n")) {
      waiting.append(.typed(String(decoding: typed[..<end], as: UTF8.self)))
      typed.removeSubrange(...end)
    }
  }
}
