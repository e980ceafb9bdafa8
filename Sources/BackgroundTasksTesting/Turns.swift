import Synchronization

/// Lets one test at a time have what belongs to the whole process.
final class Turns: Sendable {
  private struct State {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        defer { state.isTaken = true }
        if state.isTaken { state.waiting.append(continuation) }
        return !state.isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
