internal import CSQLite
internal import Synchronization

/// Ends what a connection is doing, from any thread, with the error SQLITE_INTERRUPT.
///
/// SQLite forgets an interruption that comes between two statements; an observed connection doesn't
/// begin another one either.
@safe package final class SQLiteInterruption: Sendable {
  private struct State {
    var isRequested = false
    /// The address of the handle while the connection is open: one number, so that it may be sent.
    var connection: UInt?
  }

  private let state: Mutex<State>

  init(of handle: OpaquePointer) {
    state = Mutex(State(connection: UInt(bitPattern: handle)))
  }

  /// Interrupts the connection, once and for all; after its end this does nothing.
  package func request() {
    state.withLock { state in
      state.isRequested = true
      guard let address = state.connection, let handle = unsafe OpaquePointer(bitPattern: address)
      else { return }
      unsafe sqlite3_interrupt(handle)
    }
  }

  /// Whether the connection was interrupted.
  package var isRequested: Bool { state.withLock { $0.isRequested } }

  func connectionCloses() {
    state.withLock { $0.connection = nil }
  }
}
