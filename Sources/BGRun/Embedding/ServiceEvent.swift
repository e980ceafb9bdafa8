import Glibc
import JobModel
import LinuxSystem

extension BackgroundService {
  /// Something that happened: what `bgrun run` writes as a line of its log.
  public struct Event: Hashable, Sendable, CustomStringConvertible {
    /// How much it matters; the names are those of swift-log.
    public enum Level: Int, Comparable, Sendable {
      case debug, info, notice, warning, error

      /// Less important is less.
      public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// How much it matters.
    public let level: Level
    /// A stable name for programs, such as `run-started`.
    public let name: String
    /// The sentence for people; it says all that the fields say.
    public let message: String
    /// The facts by their names: `identifier`, `run`, `outcome`, `reason` and others.
    public let fields: [String: String]

    /// The message.
    public var description: String { message }
  }
}

extension BackgroundService.Event {
  init(_ record: LogRecord) {
    self.init(
      level: Level(record.level), name: record.event, message: record.message,
      fields: Dictionary(record.fields.map { ($0.name, $0.value.text) }) { first, _ in first })
  }
}

extension BackgroundService.Event.Level {
  init(_ level: LogLevel) {
    self =
      switch level {
      case .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      }
  }
}

extension LogRecord.Value {
  fileprivate var text: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    }
  }
}

/// What a service without a listener says: warnings and errors, a line each, on standard error.
struct StandardErrorEvents: Sendable {
  @Sendable func write(_ event: BackgroundService.Event) {
    guard event.level >= .warning else { return }
    let time = RFC3339.format(WallInstant(microseconds: Clocks.now().wall / 1000))
    let level = event.level == .warning ? "warning" : "error"
    // A log that can't be written doesn't stop the work.
    try? Descriptors.write(
      all: "\(time) bgrun \(level): \(event.message)\n".utf8, to: STDERR_FILENO)
  }
}
