import YAMLSource

/// What a scalar is by the core rules of YAML 1.2 and its explicit tag, and what the older rules
/// made of it, so that a message can say so.
enum ScalarForm: Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// Digits that don't fit in 64 bits.
  case hugeInteger
  case float
  /// `yes`, `off`: booleans in YAML 1.1, text in YAML 1.2.
  case oldBoolean(Bool)
  /// `012`, `1_000`: numbers that YAML 1.1 read in another way; what they may have meant.
  case oldInteger(meanings: [Int])
  /// Quoted, or plain text that means nothing else.
  case text
  /// A tag that says something else than text, integer or boolean.
  case foreignTag(String)

  /// The plain texts, but for the empty one, that are null.
  static let nullWords = ["~", "null", "Null", "NULL"].map { ContiguousArray($0.utf8) }

  init(of node: YAMLNode, in tree: YAMLTree) {
    let text = tree.text(of: node)
    guard let tag = tree.tag(of: node) else {
      self = tree.style(of: node) == .plain ? Self(plain: text) : .text
      return
    }
    switch tag {
    case "!", "tag:yaml.org,2002:str": self = .text
    case "tag:yaml.org,2002:int":
      if case .integer(let value) = Self(plain: text) {
        self = .integer(value)
      } else {
        self = .text
      }
    case "tag:yaml.org,2002:bool":
      if case .boolean(let value) = Self(plain: text) {
        self = .boolean(value)
      } else {
        self = .text
      }
    case "tag:yaml.org,2002:null": self = .null
    default: self = .foreignTag(tag)
    }
  }

  /// What an unquoted scalar is.
  init(plain text: String) {
    switch text {
    case "", "~", "null", "Null", "NULL": self = .null
    case "true", "True", "TRUE": self = .boolean(true)
    case "false", "False", "FALSE": self = .boolean(false)
    default:
      switch text.lowercased() {
      case "yes", "on", "y": self = .oldBoolean(true)
      case "no", "off", "n": self = .oldBoolean(false)
      default: self = Self(number: text) ?? .text
      }
    }
  }

  private init?(number text: String) {
    var digits = Substring(text)
    var sign = ""
    if let first = digits.first, first == "+" || first == "-" {
      sign = first == "-" ? "-" : ""
      digits = digits.dropFirst()
    }
    guard let first = digits.utf8.first else { return nil }
    let isDecimal = digits.utf8.allSatisfy(Self.isDigit)
    if isDecimal, first == UInt8(ascii: "0"), digits.utf8.count > 1 {
      let meanings = [Int(sign + digits), Int(sign + digits, radix: 8)].compactMap(\.self)
      self = .oldInteger(
        meanings: meanings.count == 2 && meanings[0] == meanings[1]
          ? [meanings[0]] : meanings)
    } else if isDecimal {
      self = Int(sign + digits).map(Self.integer) ?? .hugeInteger
    } else if sign.isEmpty, digits.hasPrefix("0o") || digits.hasPrefix("0x"),
      digits.utf8.count > 2
    {
      let radix = digits.hasPrefix("0o") ? 8 : 16
      guard let value = Int(digits.dropFirst(2), radix: radix) else { return nil }
      self = .integer(value)
    } else if Self.isDigit(first),
      digits.utf8.allSatisfy({ Self.isDigit($0) || $0 == UInt8(ascii: "_") })
    {
      self = .oldInteger(meanings: [Int(sign + digits.filter { $0 != "_" })].compactMap(\.self))
    } else if Self.isFloat(digits) {
      self = .float
    } else {
      return nil
    }
  }

  private static func isFloat(_ text: Substring) -> Bool {
    if [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(text) { return true }
    var rest = Substring(text)
    let whole = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(whole.count)
    var fraction = Substring()
    if rest.first == "." {
      rest = rest.dropFirst()
      fraction = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(fraction.count)
    }
    guard !(whole.isEmpty && fraction.isEmpty) else { return false }
    guard let exponent = rest.first else { return true }
    guard exponent == "e" || exponent == "E" else { return false }
    rest = rest.dropFirst()
    if let sign = rest.first, sign == "+" || sign == "-" { rest = rest.dropFirst() }
    return !rest.isEmpty && rest.utf8.allSatisfy(isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  /// What was found, as it reads behind "found".
  func found(_ text: String, style: YAMLScalarStyle) -> String {
    let shown = text.count > 40 ? text.prefix(40) + "…" : Substring(text)
    switch self {
    case .null: return "nothing"
    case .boolean: return "the boolean \(shown)"
    case .integer, .hugeInteger: return "the number \(shown)"
    case .float: return "the number \(shown)"
    case .foreignTag(let tag): return "a value tagged '\(tag)'"
    case .oldInteger, .oldBoolean: return "the text '\(shown)'"
    case .text:
      switch style {
      case .singleQuoted, .doubleQuoted: return "the quoted text '\(shown)'"
      case .plain, .literal, .folded: return "the text '\(shown)'"
      }
    }
  }
}
