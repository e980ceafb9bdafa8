extension DurationText {
  /// Why a text is no duration.
  package enum Mistake: TextMistake {
    case empty
    /// `90`: which unit is meant can't be known; the suggestion takes seconds.
    case bareNumber(suggestion: String)
    /// `1:30`, which YAML 1.1 read as ninety seconds.
    case sexagesimal(suggestion: String?)
    case negative(suggestion: String?)
    /// `1.5h`; the suggestion says the same in whole numbers.
    case fraction(offset: Int, length: Int, suggestion: String?)
    case unknownUnit(String, offset: Int, suggestion: String?)
    case missingUnit(offset: Int, length: Int, suggestion: String?)
    case missingNumber(unit: String, offset: Int)
    /// A unit that stands behind a smaller one.
    case unitOrder(unit: String, offset: Int, suggestion: String?)
    case repeatedUnit(unit: String, offset: Int, suggestion: String?)
    case space(offset: Int, suggestion: String?)
    case unexpected(String, offset: Int)
    case overflow

    package var sentence: String {
      switch self {
      case .empty: "a duration is missing, such as 30s, 15m or 1h30m"
      case .bareNumber: "a duration needs a unit: ms, s, m, h or d"
      case .sexagesimal:
        "a duration is written with units, such as 90s or 1h30m, not with a colon"
      case .negative: "a duration can't be negative"
      case .fraction: "a duration is written in whole numbers"
      case .unknownUnit(let unit, _, _):
        "\(unit.quoted) isn't a unit of time: use ms, s, m, h or d"
      case .missingUnit: "this number has no unit: use ms, s, m, h or d"
      case .missingNumber(let unit, _): "\(unit.quoted) has no number before it"
      case .unitOrder(let unit, _, _): "\(unit.quoted) stands behind a smaller unit"
      case .repeatedUnit(let unit, _, _): "the unit \(unit.quoted) is written twice"
      case .space: "a duration is written without spaces"
      case .unexpected(let character, _): "\(character.quoted) can't stand in a duration"
      case .overflow:
        "this duration is too long: the longest is "
          + DurationText.format(.milliseconds(DurationText.longestMilliseconds))
      }
    }

    package var suggestion: String? {
      switch self {
      case .bareNumber(let suggestion): suggestion
      case .sexagesimal(let suggestion), .negative(let suggestion),
        .fraction(_, _, let suggestion), .unknownUnit(_, _, let suggestion),
        .missingUnit(_, _, let suggestion), .unitOrder(_, _, let suggestion),
        .repeatedUnit(_, _, let suggestion), .space(_, let suggestion):
        suggestion
      case .empty, .missingNumber, .unexpected, .overflow: nil
      }
    }

    package var offset: Int? {
      switch self {
      case .fraction(let offset, _, _), .unknownUnit(_, let offset, _),
        .missingUnit(let offset, _, _), .missingNumber(_, let offset),
        .unitOrder(_, let offset, _), .repeatedUnit(_, let offset, _), .space(let offset, _),
        .unexpected(_, let offset):
        offset
      case .empty, .bareNumber, .sexagesimal, .negative, .overflow: nil
      }
    }

    package var length: Int? {
      switch self {
      case .fraction(_, let length, _), .missingUnit(_, let length, _): length
      case .unknownUnit(let unit, _, _), .missingNumber(let unit, _), .unitOrder(let unit, _, _),
        .repeatedUnit(let unit, _, _), .unexpected(let unit, _):
        unit.utf8.count
      case .space: 1
      case .empty, .bareNumber, .sexagesimal, .negative, .overflow: nil
      }
    }
  }
}
