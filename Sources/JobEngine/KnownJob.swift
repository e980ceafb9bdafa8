import JobModel

/// What the store last said of a job, shared: it is large, and most events only look at it.
final class KnownJob: Sendable {
  let snapshot: JobSnapshot
  /// The keys of its runs that haven't ended: of many runs and many requests few have the same.
  let liveKeys: Set<String>

  init(_ snapshot: JobSnapshot) {
    self.snapshot = snapshot
    liveKeys = snapshot.live.keys
  }
}

extension [RunRecord] {
  /// The keys of the runs.
  var keys: Set<String> {
    var keys = Set<String>(minimumCapacity: count)
    for index in indices { keys.insert(self[index].request.key) }
    return keys
  }
}
