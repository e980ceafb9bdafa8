/// A JSON value whose members keep their order, so that output reads as it is documented.
package enum JSONValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// A number as it is written: nothing is lost in a binary fraction.
  case number(String)
  case text(String)
  case array([JSONValue])
  case object([Member])

  /// One named value of an object.
  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// A whole number.
  package static func integer(_ value: some BinaryInteger) -> JSONValue { .number("\(value)") }

  /// A decimal with at most `digits` places; null for what JSON can't write.
  package static func decimal(_ value: Double, digits: Int = 6) -> JSONValue {
    guard value.isFinite else { return .null }
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    let rounded = (value * scale).rounded() / scale
    return .number(
      rounded == rounded.rounded() && abs(rounded) < 1e15
        ? "\(Int64(rounded))" : "\(rounded)")
  }

  /// The value, or null for nil.
  package static func optional<Value>(
    _ value: Value?, _ wrap: (Value) -> JSONValue
  ) -> JSONValue {
    value.map(wrap) ?? .null
  }

  /// The value as text: on one line, or indented by two spaces a level.
  package func text(isIndented: Bool = false) -> String {
    var text = ""
    write(to: &text, indentation: isIndented ? 0 : nil)
    return text
  }

  private func write(to text: inout String, indentation: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .number(let number): text += number
    case .text(let value): Self.quote(value, to: &text)
    case .array(let elements):
      Self.write(elements, "[", "]", to: &text, indentation) { element, text, indentation in
        element.write(to: &text, indentation: indentation)
      }
    case .object(let members):
      Self.write(members, "{", "}", to: &text, indentation) { member, text, indentation in
        Self.quote(member.name, to: &text)
        text += indentation == nil ? ":" : ": "
        member.value.write(to: &text, indentation: indentation)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ open: String, _ close: String, to text: inout String,
    _ indentation: Int?, each: (Element, inout String, Int?) -> Void
  ) {
    text += open
    guard !elements.isEmpty else {
      text += close
      return
    }
    let inner = indentation.map { $0 + 2 }
    for (index, element) in elements.enumerated() {
      if index > 0 { text += "," }
      if let inner { text += "\n" + String(repeating: " ", count: inner) }
      each(element, &text, inner)
    }
    if let indentation { text += "\n" + String(repeating: " ", count: indentation) }
    text += close
  }

  /// A text in quotes, with what JSON forbids escaped.
  package static func quoted(_ value: String) -> String {
    var text = ""
    quote(value, to: &text)
    return text
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
