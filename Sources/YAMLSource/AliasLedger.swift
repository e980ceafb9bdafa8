/// Keeps the anchors of a document and the account of what its aliases stand for.
struct AliasLedger {
  enum Target {
    case defined(node: UInt32, weight: UInt64)
    /// The alias stands inside the value that the anchor names.
    case open
    case unknown(known: [String])
  }

  private struct Anchor {
    let node: UInt32
    /// How many events the value stands for; nil while it is still being read.
    var weight: UInt64?
  }

  private let factor: UInt64
  private var anchors: [String: Anchor] = [:]
  private var names: [UInt32: String] = [:]
  private var events: UInt64 = 0
  private var expanded: UInt64 = 0
  private var largest: (weight: UInt64, range: ByteRange)?

  init(factor: Int) { self.factor = UInt64(factor) }

  /// Sums saturate: a bomb's weight has no bound.
  static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }

  /// Neither an anchor nor an alias was met.
  var isUnused: Bool { anchors.isEmpty && expanded == 0 }

  mutating func count(_ events: UInt64) { self.events &+= events }

  mutating func define(_ name: String, node: UInt32) {
    anchors[name] = Anchor(node: node, weight: nil)
    names[node] = name
  }

  /// The value of a node with an anchor is complete.
  mutating func close(node: UInt32, weight: UInt64) {
    guard let name = names[node], anchors[name]?.node == node else { return }
    anchors[name]?.weight = weight
  }

  func target(of name: String) -> Target {
    guard let anchor = anchors[name] else { return .unknown(known: anchors.keys.sorted()) }
    guard let weight = anchor.weight else { return .open }
    return .defined(node: anchor.node, weight: weight)
  }

  mutating func expand(to weight: UInt64, at range: ByteRange) {
    expanded = Self.sum(expanded, weight)
    if largest.map({ weight > $0.weight }) ?? true { largest = (weight, range) }
  }

  /// The heaviest alias, where all together stand for more than the document's events allow.
  var excess: ByteRange? {
    expanded > factor &* max(events, 1) ? largest?.range : nil
  }
}
