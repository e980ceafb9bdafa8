/// Builds one frame: little-endian numbers, texts and lists behind their byte counts.
struct WireWriter {
  private(set) var bytes: [UInt8]

  /// Starts a frame; its length is filled in by `finish`.
  init(version: UInt8, kind: UInt8) {
    bytes = [0, 0, 0, 0, version, kind]
  }

  mutating func write(_ value: some FixedWidthInteger) {
    var rest = value
    for _ in 0..<(type(of: value).bitWidth / 8) {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  mutating func write(_ isTrue: Bool) { bytes.append(isTrue ? 1 : 0) }

  mutating func write(_ value: Double) { write(value.bitPattern) }

  mutating func write(_ text: String) {
    write(UInt32(clamping: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func write<Value>(_ value: Value?, _ write: (inout Self, Value) -> Void) {
    self.write(value != nil)
    if let value { write(&self, value) }
  }

  /// The frame with its length in front.
  consuming func finish() -> [UInt8] {
    let length = UInt32(clamping: bytes.count - WireFrame.lengthSize)
    for index in 0..<WireFrame.lengthSize {
      bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index))
    }
    return bytes
  }
}
