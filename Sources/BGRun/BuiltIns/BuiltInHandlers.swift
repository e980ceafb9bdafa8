/// The handlers of the stock program, which any manifest can name as a job's `handler`.
enum BuiltInHandlers {
  static func register(in app: HandlerRegistry) {
    FilePruning.register(in: app)
    DatabaseMaintenance.register(in: app)
    FolderArchiving.register(in: app)
  }
}

extension BuiltInHandlers {
  /// What `bgrun explain` says of each, in the order of their names.
  static let guides = [FolderArchiving.guide, FilePruning.guide, DatabaseMaintenance.guide]
}

/// What a built-in handler does, for people.
struct HandlerGuide: Sendable {
  let name: String
  /// One paragraph, with every parameter.
  let meaning: String
  /// Lines of a job.
  let example: String
}

/// Why a built-in handler failed.
struct BuiltInFailure: Error, CustomStringConvertible {
  /// What was attempted, on what, and why it failed.
  let description: String
}
