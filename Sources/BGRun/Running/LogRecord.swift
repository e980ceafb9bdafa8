import JobModel

/// How much a log line matters, with the journal's priorities (sd-daemon(3)).
enum LogLevel: Int, Sendable {
  case error = 3
  case warning = 4
  case notice = 5
  case info = 6
  case debug = 7

  var name: String {
    switch self {
    case .error: "error"
    case .warning: "warning"
    case .notice: "notice"
    case .info: "info"
    case .debug: "debug"
    }
  }
}

/// One event of a run in words and in fields: what every log format and the terminal show.
struct LogRecord: Equatable, Sendable {
  enum Value: Equatable, Sendable {
    case text(String)
    case integer(Int64)
    case number(Double)
  }

  struct Field: Equatable, Sendable {
    var name: String
    var value: Value
  }

  var level: LogLevel
  /// A stable name for machines: `run-started`.
  var event: String
  /// The sentence for people; it says all that the fields say.
  var message: String
  var fields: [Field] = []

  /// A runner has joined its store.
  static func ready(_ jobSet: JobSet, state: String) -> LogRecord {
    let count = jobSet.jobs.count
    return LogRecord(
      level: .info, event: "ready",
      message: "\(count) \(count == 1 ? "job" : "jobs") of \(jobSet.app), store \(state)"
    ).with("app", jobSet.app).with("jobs", count).with("state", state)
  }

  /// The record with one more field; a nil value adds none.
  consuming func with(_ name: String, _ value: Value?) -> LogRecord {
    if let value { fields.append(Field(name: name, value: value)) }
    return self
  }

  consuming func with(_ name: String, _ text: String?) -> LogRecord {
    with(name, text.map(Value.text))
  }

  consuming func with(_ name: String, _ number: (some BinaryInteger)?) -> LogRecord {
    with(name, number.map { Value.integer(Int64($0)) })
  }
}
