/// Finds the first use of a key in a mapping without comparing all pairs.
///
/// The few keys of an ordinary mapping are told apart by a bit of their hash, and only where two
/// share a bit are hashes compared. A mapping with more keys gets a hash table of its own, seeded
/// at random, so that made-up keys can't make it slow.
struct KeyRegister {
  /// The keys of one mapping.
  struct Seen {
    fileprivate var bits: UInt64 = 0
    fileprivate var first: Int?
  }

  private static let few = 64
  /// Hash and node of the keys of all open mappings, the innermost last.
  private var stack: ContiguousArray<(hash: UInt32, node: UInt32)> = []
  /// The larger mappings among them, by where their keys begin in the stack.
  private var tables: [Int: [String: UInt32]] = [:]

  /// The earlier node with the same key, or nil; remembers the key.
  ///
  /// `node` is where the key's text is: the target where the key is an alias.
  mutating func firstUse(
    of node: UInt32, text: borrowing Span<UInt8>, hash: KeyHash, in seen: inout Seen,
    arena: borrowing NodeArena
  ) -> UInt32? {
    let first = seen.first ?? stack.count
    seen.first = first
    if stack.count - first >= Self.few { return firstUseInTable(of: node, first: first, arena) }
    let bit: UInt64 = 1 << UInt64(hash.value & 63)
    if seen.bits & bit != 0 {
      for index in first..<stack.count where stack[index].hash == hash.value {
        if arena.text(of: stack[index].node, equals: text) { return stack[index].node }
      }
    }
    seen.bits |= bit
    stack.append((hash.value, node))
    return nil
  }

  private mutating func firstUseInTable(
    of node: UInt32, first: Int, _ arena: borrowing NodeArena
  ) -> UInt32? {
    if tables[first] == nil {
      tables[first] = [:]
      for entry in stack[first...] { tables[first]?[arena.text(of: entry.node)] = entry.node }
    }
    let text = arena.text(of: node)
    if let found = tables[first]?[text] { return found }
    tables[first]?[text] = node
    return nil
  }

  /// Drops the keys of a mapping that ended.
  mutating func forget(_ seen: Seen) {
    guard let first = seen.first else { return }
    if stack.count - first >= Self.few { tables[first] = nil }
    stack.removeLast(stack.count - first)
  }
}
