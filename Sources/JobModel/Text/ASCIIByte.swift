/// What a byte of UTF-8 text is, if it is an ASCII character.
extension UInt8 {
  var isDecimalDigit: Bool {
    self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9")
  }

  var isASCIILetter: Bool {
    let lower = self | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }

  /// A space, a tab or a line break.
  var isASCIISpace: Bool {
    self == UInt8(ascii: " ") || (self >= 9 && self <= 13)
  }
}
