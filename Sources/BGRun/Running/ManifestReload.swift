import JobModel
import Runner

/// Reads the manifests of a runner again while it runs (PL12). What couldn't have been started with is
/// refused, and what is in force stays.
struct ManifestReload {
  let reading: JobSetReading
  let location: ManifestLocation
  /// What they were when they were read for the start.
  let loadedFrom: ManifestStamp
  let registry: HandlerRegistry
  let selection: Set<JobIdentifier>?

  /// Whether they were saved since they were read for the start.
  var isOutdated: Bool { reading.stamp(of: location) != loadedFrom }

  /// - Throws: why it is refused; `findings` have been shown by the reading.
  func read() throws(CommandFailure) -> LoadedJobSet {
    let loaded = try reading.loadForRunning(location)
    let required = RequiredHandlers(
      jobSet: loaded.jobSet, selection: selection, registry: registry)
    let missing = required.missing
    guard missing.isEmpty else {
      throw .notDone("no handler is registered for \(missing.joined(separator: ", "))")
    }
    let mistaken = required.mistaken
    guard mistaken.isEmpty else { throw .notDone(mistaken.joined(separator: "; ")) }
    return loaded
  }

  /// The line that tells of a refusal: diagnostics have been shown, other failures say themselves.
  static func refused(_ failure: CommandFailure) -> LogRecord {
    var message = "the manifest can't be used; the one in force stays"
    if case .notDone(let sentence, _) = failure { message += " (\(sentence))" }
    return LogRecord(level: .error, event: "reload-refused", message: message)
  }
}
