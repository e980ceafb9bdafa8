extension CronExpression {
  /// Why a text is no cron expression; each mistake but the first two knows its place.
  package enum Mistake: TextMistake {
    case empty
    /// Too few or too many fields.
    case fieldCount(Int, suggestion: String?)
    /// `@reboot`, which is no time.
    case reboot
    case unknownShorthand(CronPlace, suggestion: String?)
    /// Neither number nor name.
    case value(CronField, CronPlace, suggestion: String?)
    case outOfRange(CronField, CronPlace)
    case reversedRange(CronField, CronPlace, suggestion: String?)
    /// A step of nothing or zero, or one that is no number.
    case step(CronPlace)
    /// A step that passes over its whole range, so that only its first value is left.
    case wideStep(CronField, CronPlace, suggestion: String?)
    /// `5/15`, which some read as a range to the end and others refuse.
    case stepOfValue(CronPlace, suggestion: String?)
    /// `*,5`: all, and more.
    case starInList(CronPlace, suggestion: String?)
    case emptyItem(CronField, CronPlace)
    /// `?`, `L`, `W` or `#`, which other schedulers know.
    case foreign(CronField, CronPlace, suggestion: String?)
    /// `*/n` as day of month or of week beside the other one set: schedulers disagree whether both
    /// or either must match.
    case ambiguousDays(CronPlace)

    package var sentence: String {
      switch self {
      case .empty:
        "a cron expression is missing, such as '0 3 * * *'"
      case .fieldCount(let count, _):
        "a cron expression has five fields (minute, hour, day of month, month, day of week),"
          + " this one has \(count)"
      case .reboot:
        "'@reboot' is no time; to run a job once when the runner starts, start it with"
          + " 'bgrun run --now ID'; to run it when it is first seen and then regularly, write"
          + " 'every: 1d'"
      case .unknownShorthand(let place, _):
        "\(place.text.quoted) is unknown: use @hourly, @daily, @weekly, @monthly or @yearly"
      case .value(let field, let place, _):
        "\(place.text.quoted) isn't \(field.oneOf): use \(Self.allowed(field))"
      case .outOfRange(let field, let place):
        "\(place.text.quoted) isn't \(field.oneOf): use \(Self.allowed(field))"
      case .reversedRange(_, let place, _):
        "the range \(place.text.quoted) ends before it begins"
      case .step(let place):
        "\(place.text.quoted) isn't a step: use a whole number from 1"
      case .wideStep(let field, let place, _):
        "a step of \(place.text.quoted) leaves only the first \(field.name) of its range"
      case .stepOfValue(let place, _):
        "\(place.text.quoted) has a step without a range"
      case .starInList:
        "'*' stands for every value and can't be one of a list"
      case .emptyItem(let field, _):
        "a value is missing in the field for the \(field.name)"
      case .foreign(let field, let place, _):
        "\(place.text.quoted) isn't known in cron's field for the \(field.name):"
          + " use \(Self.allowed(field))"
      case .ambiguousDays(let place):
        "\(place.text.quoted) beside another day field is read differently by different schedulers:"
          + " list the days, or set only one of day of month and day of week"
      }
    }

    package var suggestion: String? {
      switch self {
      case .fieldCount(_, let suggestion), .unknownShorthand(_, let suggestion),
        .value(_, _, let suggestion), .reversedRange(_, _, let suggestion),
        .wideStep(_, _, let suggestion), .stepOfValue(_, let suggestion),
        .starInList(_, let suggestion), .foreign(_, _, let suggestion):
        suggestion
      case .empty, .reboot, .outOfRange, .step, .emptyItem, .ambiguousDays: nil
      }
    }

    package var offset: Int? { place?.offset }

    package var length: Int? { place?.text.utf8.count }

    private var place: CronPlace? {
      switch self {
      case .empty, .fieldCount, .reboot: nil
      case .unknownShorthand(let place, _), .value(_, let place, _), .outOfRange(_, let place),
        .reversedRange(_, let place, _), .step(let place), .wideStep(_, let place, _),
        .stepOfValue(let place, _), .starInList(let place, _), .emptyItem(_, let place),
        .foreign(_, let place, _), .ambiguousDays(let place):
        place
      }
    }

    private static func allowed(_ field: CronField) -> String {
      let numbers = "\(field.writable.lowerBound) to \(field.writable.upperBound)"
      guard let first = field.names.first, let last = field.names.last else { return numbers }
      return "\(numbers) or \(first) to \(last)"
    }
  }
}

/// A piece of a cron expression and where it begins, in UTF-8 bytes from the text's start.
package struct CronPlace: Hashable, Sendable {
  package let text: String
  package let offset: Int
}
