import JobManifest
import JobModel
import SQLiteStore

/// The store that a command works on, with the jobs that are permitted there.
struct Workplace {
  let folder: String
  /// Nil while nothing has been stored yet.
  let store: SQLiteStore?
  /// The manifest that applies; nil when none is known.
  let loaded: LoadedSet?

  var jobs: JobSet? { loaded?.jobSet }

  /// The times of these change with each transaction of anybody.
  var changingFiles: [String] {
    store.map { [$0.watchedPaths.writeAheadFile] } ?? []
  }
}

extension Workplace {
  /// What `body` reads from the store; the empty value when there is no store yet.
  func read<Element>(
    _ body: (any JobStore) throws(StoreFailure) -> [Element]
  ) throws(CommandFailure) -> [Element] {
    guard let store else { return [] }
    do {
      return try body(store)
    } catch {
      throw .store(error)
    }
  }

  /// Every identifier that the store or the job set knows.
  func knownIdentifiers() throws(CommandFailure) -> [JobIdentifier] {
    let stored = try read { store throws(StoreFailure) in
      try store.snapshots(of: nil, headLimit: 1)
    }
    let declared = jobs.map { Array($0.jobs.keys) } ?? []
    return Set(stored.map(\.identifier) + declared).sorted()
  }

  /// Refuses an identifier that neither the job set permits nor the store has ever seen.
  func requireKnown(_ identifier: JobIdentifier) throws(CommandFailure) {
    if jobs?.definition(for: identifier) != nil { return }
    let known = try knownIdentifiers()
    if known.contains(identifier) { return }
    throw .unknownJob(identifier, known: known)
  }
}

extension CommandFailure {
  /// Nothing permits or remembers the identifier (SB3).
  static func unknownJob(_ identifier: JobIdentifier, known: [JobIdentifier]) -> CommandFailure {
    let near = SpellingDistance.nearest(to: identifier.text, among: known.map(\.text))
    let advice: String? =
      if let near {
        "Did you mean '\(near)'?"
      } else if known.isEmpty {
        "No job is known here: name the manifest with --manifest PATH, or the store with --state DIR."
      } else {
        "Known: \(known.map(\.text).prefix(10).joined(separator: ", "))"
          + (known.count > 10 ? " and \(known.count - 10) more." : ".")
      }
    return .notDone("no job is called '\(identifier)'", advice: advice)
  }
}
