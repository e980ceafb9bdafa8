import Dispatch

/// The one timer of this module.
enum Deadline {
  private static let queue = DispatchQueue(label: "bgrun.testing.deadline")

  /// Calls `body` once, when `limit` has passed.
  static func after(_ limit: Duration, _ body: @escaping @Sendable () -> Void) {
    let (seconds, attoseconds) = limit.components
    let nanoseconds = Double(seconds) * 1e9 + Double(attoseconds) / 1e9
    queue.asyncAfter(
      deadline: .now() + .nanoseconds(Int(exactly: nanoseconds.rounded()) ?? .max), execute: body)
  }
}
