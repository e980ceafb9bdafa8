/// What a runner does about a handler in its own process that doesn't end within its grace (EM1).
package enum OverrunPolicy: Hashable, Sendable {
  /// The run stays expiring and keeps its place until the handler ends.
  case hold
  /// Everything else is stopped in good order, and the process is ended.
  case exit
}
