/// One of the five fields of a cron expression, in their order.
package enum CronField: Int, CaseIterable, Sendable {
  case minute, hour, dayOfMonth, month, dayOfWeek

  /// The field's name in a sentence.
  package var name: String {
    switch self {
    case .minute: "minute"
    case .hour: "hour"
    case .dayOfMonth: "day of month"
    case .month: "month"
    case .dayOfWeek: "day of week"
    }
  }

  /// The name with its article.
  var oneOf: String { self == .hour ? "an hour" : "a \(name)" }

  /// The numbers that may be written; Sunday is 0 and 7.
  var writable: ClosedRange<Int> {
    switch self {
    case .minute: 0...59
    case .hour: 0...23
    case .dayOfMonth: 1...31
    case .month: 1...12
    case .dayOfWeek: 0...7
    }
  }

  /// What `*` stands for: each value once.
  var all: ClosedRange<Int> {
    self == .dayOfWeek ? 0...6 : writable
  }

  /// The names that may stand for numbers, the first for the lowest of `all`.
  var names: [String] {
    switch self {
    case .minute, .hour, .dayOfMonth: []
    case .month: Self.monthNames
    case .dayOfWeek: Self.weekdayNames
    }
  }

  private static let monthNames = [
    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
  ]
  private static let weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"]
}
