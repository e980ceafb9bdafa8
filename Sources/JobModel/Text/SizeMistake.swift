extension SizeText {
  /// Why a text is no size.
  package enum Mistake: TextMistake {
    case empty
    /// `1024`: the suggestion takes it as bytes.
    case missingUnit(suggestion: String?)
    case missingNumber(unit: String)
    case unknownUnit(String, offset: Int, suggestion: String?)
    /// `1.5GiB`; the suggestion says the same in whole numbers.
    case fraction(suggestion: String?)
    case space(offset: Int, suggestion: String?)
    /// `1GiB500MiB`: a size is one number and one unit.
    case severalParts(offset: Int)
    case unexpected(String, offset: Int)
    case overflow

    package var sentence: String {
      switch self {
      case .empty: "a size is missing, such as 512MiB or 10GB"
      case .missingUnit: "a size needs a unit: \(Self.units)"
      case .missingNumber(let unit): "\(unit.quoted) has no number before it"
      case .unknownUnit(let unit, _, _): "\(unit.quoted) isn't a unit of size: use \(Self.units)"
      case .fraction: "a size is written in whole numbers"
      case .space: "a size is written without spaces"
      case .severalParts: "a size is one number and one unit, such as 1536MiB"
      case .unexpected("-", 0): "a size can't be negative"
      case .unexpected(let character, _): "\(character.quoted) can't stand in a size"
      case .overflow: "this size is too large: the largest is \(SizeText.format(.max))"
      }
    }

    package var suggestion: String? {
      switch self {
      case .missingUnit(let suggestion), .unknownUnit(_, _, let suggestion),
        .fraction(let suggestion), .space(_, let suggestion):
        suggestion
      case .empty, .missingNumber, .severalParts, .unexpected, .overflow: nil
      }
    }

    package var offset: Int? {
      switch self {
      case .unknownUnit(_, let offset, _), .space(let offset, _), .severalParts(let offset),
        .unexpected(_, let offset):
        offset
      case .empty, .missingUnit, .missingNumber, .fraction, .overflow: nil
      }
    }

    package var length: Int? {
      switch self {
      case .unknownUnit(let text, _, _), .unexpected(let text, _): text.utf8.count
      case .space: 1
      case .empty, .missingUnit, .missingNumber, .fraction, .severalParts, .overflow: nil
      }
    }

    private static let units = "KiB, MiB, GiB, kB, MB, GB or B"
  }
}
