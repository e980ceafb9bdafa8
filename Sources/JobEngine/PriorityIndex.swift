/// Keys in the order of their ranks, each with one rank at most.
///
/// A changed rank leaves its old entry in the heap; it is dropped when it surfaces, so that the first
/// entry is always a live one, and the heap is rebuilt before old entries outnumber those. Every
/// operation is O(log n) amortized, and the order is the same in every process.
struct PriorityIndex<Key: Hashable & Comparable & Sendable, Rank: Comparable & Sendable>: Sendable {
  private struct Entry: Sendable {
    var rank: Rank
    var key: Key

    func precedes(_ other: Entry) -> Bool {
      rank == other.rank ? key < other.key : rank < other.rank
    }
  }

  private var ranks: [Key: Rank] = [:]
  private var heap: [Entry] = []

  var isEmpty: Bool { ranks.isEmpty }

  func rank(of key: Key) -> Rank? { ranks[key] }

  /// Gives `key` this rank, or takes it out.
  mutating func set(_ rank: Rank?, for key: Key) {
    if let rank {
      guard ranks.updateValue(rank, forKey: key) != rank else { return }
      if heap.count > 2 * ranks.count + 32 { dropStaleEntries() }
      heap.append(Entry(rank: rank, key: key))
      rise(from: heap.count - 1)
    } else {
      guard !ranks.isEmpty, ranks.removeValue(forKey: key) != nil else { return }
    }
    dropStaleTop(of: key)
  }

  /// The key with the smallest rank, without taking it out.
  var first: (key: Key, rank: Rank)? { heap.first.map { ($0.key, $0.rank) } }

  /// Takes out the key with the smallest rank, if that rank is at most `limit`.
  mutating func popFirst(upTo limit: Rank) -> Key? {
    guard let (key, rank) = first, rank <= limit else { return nil }
    ranks[key] = nil
    dropStaleTop(of: key)
    return key
  }

  /// Only an entry of the key that has changed can have become stale at the top.
  private mutating func dropStaleTop(of key: Key) {
    guard heap.first?.key == key else { return }
    while let entry = heap.first, ranks[entry.key] != entry.rank { removeTop() }
  }

  private mutating func dropStaleEntries() {
    heap = heap.filter { ranks[$0.key] == $0.rank }
    heap.sort { $0.precedes($1) }
  }

  private mutating func removeTop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    sink(from: 0)
  }

  private mutating func rise(from start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].precedes(heap[parent]) else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func sink(from start: Int) {
    var parent = start
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].precedes(heap[smallest]) {
        smallest = child
      }
      guard smallest != parent else { return }
      heap.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
