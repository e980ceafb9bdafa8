import JobModel

/// Where a job is in the engine's table: given to it when it is first heard of, and kept.
struct JobIndex: Hashable, Comparable, Sendable {
  fileprivate let place: Int

  static func < (left: Self, right: Self) -> Bool { left.place < right.place }
}

/// The jobs that an engine knows. Identifiers are looked up where something comes in from outside;
/// everything else says by its place which job it means, and changes it there.
struct JobTable: Sendable {
  private var states: [JobState] = []
  private var indexes: [JobIdentifier: JobIndex] = [:]
  /// Those that are to be planned, each once.
  private var changed: [JobIndex] = []

  /// Every job's place.
  var indices: some Sequence<JobIndex> { states.indices.lazy.map { JobIndex(place: $0) } }

  subscript(index: JobIndex) -> JobState {
    get { states[index.place] }
    _modify { yield &states[index.place] }
  }

  func index(of identifier: JobIdentifier) -> JobIndex? { indexes[identifier] }

  /// The state of a job that may not have been heard of.
  subscript(identifier: JobIdentifier) -> JobState? { index(of: identifier).map { self[$0] } }

  /// Takes in a job that hasn't been heard of before.
  mutating func add(_ state: JobState) -> JobIndex {
    let index = JobIndex(place: states.count)
    states.append(state)
    indexes[state.identifier] = index
    return index
  }

  /// Notes that a job changed, or may have, since it was planned.
  mutating func noteChange(of index: JobIndex) {
    guard !states[index.place].isToBePlanned else { return }
    states[index.place].isToBePlanned = true
    changed.append(index)
  }

  mutating func noteChanges(of indices: some Sequence<JobIndex>) {
    for index in indices { noteChange(of: index) }
  }

  var hasChanges: Bool { !changed.isEmpty }

  /// The jobs that changed, in the order of their identifiers; none has from then on.
  mutating func takeChanges() -> [JobIndex] {
    let taken = sorted(changed)
    for index in taken { states[index.place].isToBePlanned = false }
    changed = []
    return taken
  }

  /// Jobs in the order of their identifiers, which is that of everything that is told or proposed.
  func sorted(_ indices: some Collection<JobIndex>) -> [JobIndex] {
    guard indices.count > 1 else { return Array(indices) }
    return indices.sorted { self[$0].identifier < self[$1].identifier }
  }
}
