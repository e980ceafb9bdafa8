package import JobModel

extension JSONValue {
  /// Reads a JSON text (RFC 8259); nil when it is none, nests deeper than 64, or names a member
  /// twice.
  package init?(parsing text: String) {
    var reader = JSONReader(bytes: Array(text.utf8))
    guard let value = reader.document() else { return nil }
    self = value
  }
}

private struct JSONReader {
  let bytes: [UInt8]
  var position = 0

  private static let deepest = 64

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() -> JSONValue? {
    guard let value = value(depth: 0) else { return nil }
    skipSpace()
    return position == bytes.count ? value : nil
  }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skip(word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func value(depth: Int) -> JSONValue? {
    guard depth < Self.deepest else { return nil }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["): return array(depth: depth)
    case UInt8(ascii: "\""): return string().map(JSONValue.text)
    case UInt8(ascii: "t"): return skip(word: "true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return skip(word: "false") ? .bool(false) : nil
    case UInt8(ascii: "n"): return skip(word: "null") ? .null : nil
    default: return number()
    }
  }

  private mutating func object(depth: Int) -> JSONValue? {
    position += 1
    var members: [JSONValue.Member] = []
    var names: Set<String> = []
    skipSpace()
    if skip("}") { return .object([]) }
    repeat {
      skipSpace()
      guard let name = string(), names.insert(name).inserted else { return nil }
      skipSpace()
      guard skip(":"), let value = value(depth: depth + 1) else { return nil }
      members.append(JSONValue.Member(name, value))
      skipSpace()
    } while skip(",")
    return skip("}") ? .object(members) : nil
  }

  private mutating func array(depth: Int) -> JSONValue? {
    position += 1
    var elements: [JSONValue] = []
    skipSpace()
    if skip("]") { return .array([]) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
      skipSpace()
    } while skip(",")
    return skip("]") ? .array(elements) : nil
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position > start
  }

  private mutating func number() -> JSONValue? {
    let start = position
    _ = skip("-")
    if !skip("0"), !digits() { return nil }
    if skip("."), !digits() { return nil }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      if !digits() { return nil }
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func string() -> String? {
    guard skip("\"") else { return nil }
    var result = ""
    var start = position
    while let byte = peek, byte >= 0x20 {
      position += 1
      guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      result += String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
      if byte == UInt8(ascii: "\"") { return result }
      guard let scalar = escape() else { return nil }
      result.unicodeScalars.append(scalar)
      start = position
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = peek else { return nil }
    position += 1
    switch Unicode.Scalar(byte) {
    case "\"", "\\", "/": return Unicode.Scalar(byte)
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return escapedScalar()
    default: return nil
    }
  }

  /// One `\u` escape, or the two of a surrogate pair.
  private mutating func escapedScalar() -> Unicode.Scalar? {
    guard let unit = hexadecimal() else { return nil }
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard (0xD800..<0xDC00).contains(unit), skip("\\"), skip("u"), let low = hexadecimal(),
      (0xDC00..<0xE000).contains(low)
    else { return nil }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
  }

  private mutating func hexadecimal() -> UInt32? {
    let field = bytes[position...].prefix(4)
    guard field.count == 4, !field.contains(UInt8(ascii: "+")), !field.contains(UInt8(ascii: "-"))
    else { return nil }
    position += 4
    return UInt32(String(decoding: field, as: UTF8.self), radix: 16)
  }
}
