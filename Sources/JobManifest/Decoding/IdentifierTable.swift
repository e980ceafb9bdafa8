/// The identifiers of a set, numbered in the order in which they came.
///
/// They lie one behind the other and are found by a hash that is seeded at random: a set may have any
/// number, and a string for each would cost more than all else that is kept of it.
struct IdentifierTable {
  private var bytes: ContiguousArray<UInt8> = []
  private var ends: ContiguousArray<Int> = []
  private var hashes: ContiguousArray<Int> = []
  /// Each the number of an identifier plus one; 0 is free. A power of two, at most half full.
  private var slots = ContiguousArray<UInt32>(repeating: 0, count: 16)

  /// Makes room for so many more identifiers, where they are more than there are: of many small
  /// files each would have all moved.
  mutating func reserve(_ count: Int) {
    guard count > ends.count else { return }
    ends.reserveCapacity(ends.count + count)
    hashes.reserveCapacity(hashes.count + count)
    bytes.reserveCapacity(bytes.count + 32 * count)
    grow(toHold: ends.count + count)
  }

  /// The number of an identifier, which is new the first time it comes.
  mutating func number(of text: Span<UInt8>) -> (value: Int, isNew: Bool) {
    let hash = Self.hash(text)
    if let known = find(text, hash) { return (known, false) }
    grow(toHold: ends.count + 1)
    for index in text.indices { bytes.append(text[index]) }
    ends.append(bytes.count)
    hashes.append(hash)
    place(ends.count - 1)
    return (ends.count - 1, true)
  }

  func contains(_ text: String) -> Bool {
    let bytes = ContiguousArray(text.utf8)
    return find(bytes.span, Self.hash(bytes.span)) != nil
  }

  var sorted: [String] {
    ends.indices.map { String(decoding: bytes[range(of: $0)], as: UTF8.self) }.sorted()
  }

  private static func hash(_ text: Span<UInt8>) -> Int {
    var hasher = Hasher()
    text.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  private func range(of number: Int) -> Range<Int> {
    (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  private func find(_ text: Span<UInt8>, _ hash: Int) -> Int? {
    var slot = hash & (slots.count - 1)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if hashes[number] == hash, isSame(text, number) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func isSame(_ text: Span<UInt8>, _ number: Int) -> Bool {
    let range = range(of: number)
    return range.count == text.count
      && text.indices.allSatisfy { text[$0] == bytes[range.lowerBound + $0] }
  }

  private mutating func grow(toHold count: Int) {
    var size = slots.count
    while size < 2 * count { size *= 2 }
    guard size > slots.count else { return }
    slots = ContiguousArray(repeating: 0, count: size)
    for number in ends.indices { place(number) }
  }

  private mutating func place(_ number: Int) {
    var slot = hashes[number] & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(number + 1)
  }
}
