import LinuxSystem

extension CommandContext {
  /// The world as this process has it, but nothing is written to its output and standard error: both
  /// belong to the program around.
  ///
  /// - Parameter shown: takes what a command would have written.
  static func embedded(
    handlers: HandlerRegistry, shown: ShownText
  ) throws(CommandFailure) -> CommandContext {
    var context = try CommandContext.ofProcess { handlers }
    context.output = TextSink(isTerminal: false, capacity: 0) { _ in nil }
    context.errors = TextSink(isTerminal: false, capacity: 0) { bytes in
      shown.bytes += bytes
      return nil
    }
    return context
  }
}

/// What has been shown to nobody yet.
final class ShownText {
  fileprivate var bytes: [UInt8] = []

  /// Gives the text since the last time.
  func take() -> String {
    defer { bytes = [] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
