import YAMLSource

/// The safe fixes of a set's findings, applied: what stays is every other byte, comments and layout
/// included.
package struct FixPlan {
  /// The sources with their fixes in them.
  package private(set) var sources: [ManifestSource]
  /// How many findings were mended in each source.
  package private(set) var counts: [Int]
  private let loader: ManifestLoader

  /// A fix may lay open what another fix mends; more rounds than this are no repair.
  private static let mostRounds = 8

  package init(_ sources: [ManifestSource], loader: ManifestLoader) {
    self.sources = sources
    self.loader = loader
    counts = sources.map { _ in 0 }
    var rounds = 0
    while rounds < Self.mostRounds, applyRound() { rounds += 1 }
  }

  /// Applies what can be; false where nothing was.
  private mutating func applyRound() -> Bool {
    let set = loader.check(sources: sources)
    let fixes = Self.applicable(in: set, sources)
    guard !fixes.isEmpty else { return false }
    let collisions = Self.collisions(in: set)
    if accept(fixes, unlessMoreThan: collisions) { return true }
    // One of them writes a key, a name or a wait that is there already: the others may still stand,
    // and from the end on the places of those before don't move.
    var isChanged = false
    for fix in fixes.reversed() where accept([fix], unlessMoreThan: collisions) { isChanged = true }
    return isChanged
  }

  private mutating func accept(
    _ fixes: [(source: Int, fix: Diagnostic.Fix)], unlessMoreThan collisions: Int
  ) -> Bool {
    var candidate = sources
    for (source, fix) in fixes.reversed() {
      candidate[source].bytes.replaceSubrange(
        Int(fix.range.start)..<Int(fix.range.end), with: fix.text.utf8)
    }
    guard Self.collisions(in: loader.check(sources: candidate)) <= collisions else { return false }
    sources = candidate
    for (source, _) in fixes { counts[source] += 1 }
    return true
  }

  /// The fixes in the order of their places, without those that overlap one before.
  private static func applicable(
    in set: LoadedSet, _ sources: [ManifestSource]
  ) -> [(source: Int, fix: Diagnostic.Fix)] {
    var ends = sources.map { _ in UInt32(0) }
    var fixes: [(source: Int, fix: Diagnostic.Fix)] = []
    let found = set.diagnostics.compactMap { diagnostic in
      diagnostic.fix.map { (source: diagnostic.source, fix: $0) }
    }
    .sorted { ($0.source, $0.fix.range.start) < ($1.source, $1.fix.range.start) }
    for (source, fix) in found {
      guard set.files[source].text.isFile, fix.range.start >= ends[source] else { continue }
      ends[source] = max(fix.range.end, fix.range.start + 1)
      fixes.append((source, fix))
    }
    return fixes
  }

  /// Findings that say that two things in the set collide.
  private static func collisions(in set: LoadedSet) -> Int {
    let rules: Set<Rule> = [
      DuplicateKey.rule, DuplicateIdentifier.rule, Contradiction.rule, DependencyCycle.rule,
      SetConflict.rule, BrokenSyntax.rule,
    ]
    return set.diagnostics.count { rules.contains($0.rule) }
  }
}

extension SourceText {
  /// Whether its bytes are those of the file; places in a UTF-16 file are those of its UTF-8 form.
  fileprivate var isFile: Bool {
    switch encoding {
    case .utf8, .utf8WithMark: true
    case .utf16LittleEndian, .utf16BigEndian: false
    }
  }
}
