/// Why bytes are no message: a sentence without its full stop.
package struct WireMistake: Error, Hashable, Sendable {
  package let sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }
}

/// Reads what `WireWriter` wrote, and never past the frame's end, whatever the bytes are.
struct WireReader {
  private var rest: ArraySlice<UInt8>

  init(_ payload: ArraySlice<UInt8>) {
    rest = payload
  }

  mutating func read<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(WireMistake) -> Number {
    var value: Number = 0
    for (index, byte) in try take(Number.bitWidth / 8).enumerated() {
      value |= Number(truncatingIfNeeded: byte) << (8 * index)
    }
    return value
  }

  mutating func readFlag() throws(WireMistake) -> Bool {
    switch try read(UInt8.self) {
    case 0: false
    case 1: true
    case let other: throw WireMistake("a flag is \(other)")
    }
  }

  mutating func readDouble() throws(WireMistake) -> Double {
    Double(bitPattern: try read())
  }

  mutating func readText() throws(WireMistake) -> String {
    let count = Int(try read(UInt32.self))
    guard let text = String(validating: try take(count), as: UTF8.self) else {
      throw WireMistake("a text isn't UTF-8")
    }
    return text
  }

  mutating func readOptional<Value>(
    _ read: (inout Self) throws(WireMistake) -> Value
  ) throws(WireMistake) -> Value? {
    try readFlag() ? try read(&self) : nil
  }

  /// A message must use its frame up.
  func finish() throws(WireMistake) {
    guard rest.isEmpty else { throw WireMistake("\(rest.count) bytes too many") }
  }

  private mutating func take(_ count: Int) throws(WireMistake) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw WireMistake("it ends too early") }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
