/// The handlers of the stock program, which any manifest can name as a job's `handler`.
enum BuiltInHandlers {
  static func register(in app: HandlerRegistry) {
    FilePruning.register(in: app)
    DatabaseMaintenance.register(in: app)
  }
}

/// Why a built-in handler failed.
struct BuiltInFailure: Error, CustomStringConvertible {
  /// What was attempted, on what, and why it failed.
  let description: String
}
