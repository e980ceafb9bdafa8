import Dispatch
import Glibc
import Synchronization

/// The server's own signals, taken as servers take them: by Dispatch.
final class Signals: Sendable {
  private let queue = DispatchQueue(label: "server.signals")
  private let handlers = Mutex<[Int32: @Sendable () -> Void]>([:])

  /// Calls `handler` for each signal from now on, in place of an earlier one.
  func take(_ number: Int32, _ handler: @escaping @Sendable () -> Void) {
    let isFirst = handlers.withLock { $0.updateValue(handler, forKey: number) == nil }
    guard isFirst else { return }
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler { [self] in
      let handler = handlers.withLock { $0[number] }
      handler?()
      // It lives as long as the process.
      withExtendedLifetime(source) {}
    }
    source.resume()
  }
}
