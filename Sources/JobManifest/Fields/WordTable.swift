import YAMLSource

/// The words that a field knows, one behind the other: looking one up makes no string and counts
/// no reference.
struct WordTable: Sendable {
  private let bytes: ContiguousArray<UInt8>
  private let ends: ContiguousArray<Int>

  init(_ words: [ValueType.Word]) {
    var bytes: ContiguousArray<UInt8> = []
    var ends: ContiguousArray<Int> = []
    for word in words {
      bytes.append(contentsOf: word.bytes)
      ends.append(bytes.count)
    }
    self.bytes = bytes
    self.ends = ends
  }

  /// The number of the word that a scalar is.
  func number(of value: YAMLNode, in tree: YAMLTree) -> Int? {
    var start = 0
    for number in ends.indices {
      if tree.text(of: value, equals: bytes, in: start..<ends[number]) { return number }
      start = ends[number]
    }
    return nil
  }
}
