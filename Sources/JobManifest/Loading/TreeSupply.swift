import Synchronization
import YAMLSource

/// The trees of a set's sources. Where they are much to read, another thread reads the last of them
/// while the first are read and checked, until the two meet.
struct TreeSupply {
  /// Below this a thread costs more than it saves.
  private static let leastBytes = 256 << 10
  /// To begin with a file costs as much as so many bytes of it.
  private static let bytesOfBeginning = 4 << 10

  private let sources: SharedSources
  private let beside: WorkBeside?
  private var wait: (() -> Void)?

  init(_ sources: [ManifestSource], beside: WorkBeside?) {
    let shared = SharedSources(sources)
    self.sources = shared
    // A source that is alone is shared out itself.
    self.beside = sources.count == 1 ? beside : nil
    let bytes = sources.reduce(0) { $0 + $1.bytes.count + Self.bytesOfBeginning }
    guard let beside, sources.count > 1, bytes >= Self.leastBytes else { return }
    wait = beside { shared.readFromEnd() }
  }

  /// The tree of the source with this number; each is asked for once, in order.
  mutating func tree(_ number: Int) -> YAMLTree {
    if sources.take(number) { return sources.read(number, beside: beside) }
    if let tree = sources.finished(number) { return tree }
    // It is at this very source, and there is nothing left behind it.
    finish()
    return sources.finished(number) ?? sources.read(number, beside: nil)
  }

  /// Waits for the other thread, which has nothing left to do.
  mutating func finish() {
    wait?()
    wait = nil
  }
}

/// Sources that two threads read from both ends.
private final class SharedSources: Sendable {
  private struct State {
    /// Those between the two are nobody's yet.
    var untaken: Range<Int>
    /// What was read from the end on, by its number.
    var finished: [Int: YAMLTree] = [:]
  }

  private let sources: [ManifestSource]
  private let state: Mutex<State>

  init(_ sources: [ManifestSource]) {
    self.sources = sources
    state = Mutex(State(untaken: sources.indices))
  }

  func read(_ number: Int, beside: WorkBeside?) -> YAMLTree {
    YAMLReader.read(SourceText(bytes: sources[number].bytes), beside: beside)
  }

  /// Takes the first source that nobody has, if it is this one.
  func take(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.untaken.first == number else { return false }
      state.untaken.removeFirst()
      return true
    }
  }

  /// The tree of a source that was read from the end on, handed over.
  func finished(_ number: Int) -> YAMLTree? {
    state.withLock { $0.finished.removeValue(forKey: number) }
  }

  func readFromEnd() {
    while let number = state.withLock({ $0.untaken.popLast() }) {
      let tree = read(number, beside: nil)
      state.withLock { $0.finished[number] = tree }
    }
  }
}
