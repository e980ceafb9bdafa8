package import JobModel

/// The successes that a job waits for with `afterSuccessOf`: the engine submits by this, and `bgrun
/// why` explains by it (PL16).
package struct Predecessors: Hashable, Sendable {
  /// Those without a success since the job's last start.
  package let missing: [JobIdentifier]
  /// The newest of the successes that are there.
  let newestSuccess: WallInstant?

  /// - Parameters:
  ///   - lastStart: the job's own; nil when it never started.
  ///   - success: the last final success of an identifier; nil when there was none.
  package init(
    _ identifiers: [JobIdentifier], lastStart: WallInstant?,
    success: (JobIdentifier) -> WallInstant?
  ) {
    var missing: [JobIdentifier] = []
    var newest: WallInstant?
    for identifier in identifiers {
      guard let instant = success(identifier), lastStart.map({ instant > $0 }) ?? true else {
        missing.append(identifier)
        continue
      }
      newest = max(newest ?? instant, instant)
    }
    self.missing = missing
    newestSuccess = newest
  }

  /// The gate `afterSuccessOf`, with the names of those that are missing.
  package var verdict: GateVerdict {
    let names = missing.map(\.text).joined(separator: ", ")
    return GateVerdict(
      gate: .afterSuccessOf, isMet: missing.isEmpty,
      value: missing.isEmpty ? "each has succeeded" : "no success since the last start: \(names)",
      opens: missing.isEmpty ? "" : "a success of each")
  }
}
