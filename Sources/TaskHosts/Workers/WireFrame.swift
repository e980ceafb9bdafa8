/// Cuts a stream of bytes into frames: a length of four bytes, then the protocol's version, the
/// message's kind and its payload.
package struct WireFrame {
  /// Both sides are the same executable, so a difference is a fault, not an older peer.
  package static let version: UInt8 = 1
  static let lengthSize = 4
  /// Larger than any message; a length beyond it is garbage, not a reason to wait for bytes.
  static let largest = 16 << 20

  private var bytes: [UInt8] = []
  private var start = 0

  package init() {}

  package mutating func append(_ more: ArraySlice<UInt8>) {
    if start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The kind and payload of the next whole frame; nil when more bytes are needed.
  mutating func next() throws(WireMistake) -> (kind: UInt8, payload: ArraySlice<UInt8>)? {
    let available = bytes[start...]
    guard available.count >= Self.lengthSize else { return nil }
    var length = 0
    for (index, byte) in available.prefix(Self.lengthSize).enumerated() {
      length |= Int(byte) << (8 * index)
    }
    guard (2...Self.largest).contains(length) else {
      throw WireMistake("a message of \(length) bytes")
    }
    let body = available.dropFirst(Self.lengthSize)
    guard body.count >= length else { return nil }
    start += Self.lengthSize + length
    let frame = body.prefix(length)
    let version = frame[frame.startIndex]
    guard version == Self.version else { throw WireMistake("protocol version \(version)") }
    return (frame[frame.startIndex + 1], frame.dropFirst(2))
  }
}
