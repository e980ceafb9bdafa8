import Synchronization

/// What is known of a simulated task, and who waits for it to change.
final class TaskWatch: Sendable {
  struct Knowledge: Sendable {
    var fractionCompleted = 0.0
    var end: SimulatedEnd?
  }

  private struct Waiter {
    var isMet: @Sendable (Knowledge) -> Bool
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var known = Knowledge()
    var waiters: [UInt64: Waiter] = [:]
    var last: UInt64 = 0
  }

  private let state = Mutex(State())

  var known: Knowledge { state.withLock { $0.known } }

  func note(_ change: @Sendable (inout Knowledge) -> Void) {
    let met = state.withLock { state in
      change(&state.known)
      let known = state.known
      let met = state.waiters.filter { $0.value.isMet(known) }
      for number in met.keys { state.waiters[number] = nil }
      return met.values.map(\.continuation)
    }
    for continuation in met { continuation.resume(returning: true) }
  }

  /// Waits until something holds.
  ///
  /// - Returns: false when `limit` has passed first.
  func wait(
    atMost limit: Duration, until isMet: @escaping @Sendable (Knowledge) -> Bool
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let waiter = state.withLock { state -> UInt64? in
        guard !isMet(state.known) else { return nil }
        state.last += 1
        state.waiters[state.last] = Waiter(isMet: isMet, continuation: continuation)
        return state.last
      }
      guard let waiter else { return continuation.resume(returning: true) }
      Deadline.after(limit) { [self] in
        let late = state.withLock { $0.waiters.removeValue(forKey: waiter) }
        late?.continuation.resume(returning: false)
      }
    }
  }
}
