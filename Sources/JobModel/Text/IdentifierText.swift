/// Identifiers of jobs and programs: reverse-DNS names such as `com.example.db-cleaning`.
///
/// At least two labels of `A-Za-z0-9_-`, at most 128 characters; a final `.*` makes a wildcard
/// (RG7), whose fixed part must itself be an identifier.
package enum IdentifierText {
  package static let longestLength = 128

  /// Whether the identifier stands for a family: it ends in `.*` (RG7).
  package static func isWildcard(_ text: String) -> Bool {
    text.utf8.count >= 2 && text.utf8.suffix(2).elementsEqual(".*".utf8)
  }

  /// The first mistake in an identifier, with or without wildcard; nil when it is well formed.
  package static func check(_ text: String) -> Mistake? {
    isWellFormed(ContiguousArray(text.utf8).span) ? nil : mistake(in: text)
  }

  /// Whether the bytes are an identifier: one pass without copies, for manifests of any length.
  package static func isWellFormed(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count <= longestLength else { return false }
    var (labels, labelLength) = (1, 0)
    var isWildcard = false
    for index in bytes.indices {
      let byte = bytes[index]
      // Nothing stands behind the star of a wildcard.
      guard !isWildcard else { return false }
      if byte == UInt8(ascii: ".") {
        guard labelLength > 0 else { return false }
        (labels, labelLength) = (labels + 1, 0)
      } else if byte == UInt8(ascii: "*"), labelLength == 0 {
        (isWildcard, labelLength) = (true, 1)
      } else if isLabelByte(byte) {
        labelLength += 1
      } else {
        return false
      }
    }
    return labelLength > 0 && labels >= (isWildcard ? 3 : 2)
  }

  private static func mistake(in text: String) -> Mistake {
    guard !text.isEmpty else { return .empty }
    let fixed = isWildcard(text) ? text.dropLast(2) : text[...]
    if let mistake = characterMistake(fixed, in: text) { return mistake }
    guard text.utf8.count <= longestLength else { return .tooLong(count: text.utf8.count) }
    var offset = 0
    for label in fixed.split(separator: ".", omittingEmptySubsequences: false) {
      if label.isEmpty { return .emptyLabel(offset: offset) }
      offset += label.utf8.count + 1
    }
    return .oneLabel(isWildcard: isWildcard(text))
  }

  private static func characterMistake(_ fixed: Substring, in text: String) -> Mistake? {
    let isAllowed = { (character: Character) in
      character == "." || character.asciiValue.map(isLabelByte) == true
    }
    guard let index = fixed.firstIndex(where: { !isAllowed($0) }) else { return nil }
    let offset = fixed.utf8.distance(from: fixed.startIndex, to: index)
    if fixed[index] == "*" { return .misplacedWildcard(offset: offset) }
    guard text.utf8.count <= 4 * longestLength else {
      return .character(fixed[index], offset: offset, suggestion: nil)
    }
    let mended =
      String(fixed.map { isAllowed($0) ? $0 : "-" }) + (isWildcard(text) ? ".*" : "")
    return .character(
      fixed[index], offset: offset, suggestion: check(mended) == nil ? mended : nil)
  }

  private static func isLabelByte(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isDecimalDigit || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }

  /// Why a text is no identifier.
  package enum Mistake: TextMistake {
    case empty
    case oneLabel(isWildcard: Bool)
    case emptyLabel(offset: Int)
    /// A character that no label may hold; the suggestion writes `-` for each.
    case character(Character, offset: Int, suggestion: String?)
    /// A `*` anywhere but as the whole last label.
    case misplacedWildcard(offset: Int)
    case tooLong(count: Int)

    package var sentence: String {
      switch self {
      case .empty: "an identifier is missing, such as com.example.cleanup"
      case .oneLabel(isWildcard: false):
        "an identifier has at least two labels, such as com.example"
      case .oneLabel(isWildcard: true):
        "a wildcard has at least two labels before '.*', such as com.example.*"
      case .emptyLabel: "an identifier can't have an empty label"
      case .character(let character, _, _):
        "\(Self.quoted(character)) can't stand in an identifier:"
          + " its labels are made of letters a-z and A-Z, digits, '_' and '-'"
      case .misplacedWildcard: "'*' may only be the whole last label of an identifier"
      case .tooLong(let count):
        "an identifier has at most \(IdentifierText.longestLength) characters, this one \(count)"
      }
    }

    package var suggestion: String? {
      if case .character(_, _, let suggestion) = self { suggestion } else { nil }
    }

    package var offset: Int? {
      switch self {
      case .emptyLabel(let offset), .character(_, let offset, _), .misplacedWildcard(let offset):
        offset
      case .empty, .oneLabel, .tooLong: nil
      }
    }

    package var length: Int? {
      switch self {
      case .character(let character, _, _): character.utf8.count
      case .misplacedWildcard: 1
      case .emptyLabel: 0
      case .empty, .oneLabel, .tooLong: nil
      }
    }

    private static func quoted(_ character: Character) -> String {
      character.isWhitespace ? "a space" : "'\(character)'"
    }
  }
}
