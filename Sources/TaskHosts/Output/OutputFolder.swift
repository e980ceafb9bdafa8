import JobModel
import LinuxSystem

/// The logs of one identifier's runs, `output/IDENTIFIER/RUN.log`, of which the newest are kept
/// (DU5).
struct OutputFolder: Hashable {
  let path: String

  init(stateDirectory: String, identifier: JobIdentifier) {
    path = "\(stateDirectory)/output/\(identifier.text)"
  }

  /// Makes the log of a run and removes the oldest so that no more than the policy's number are
  /// left; those of runs that still write stay.
  func makeLog(
    of run: RunNumber, _ policy: OutputPolicy, writing active: Set<RunNumber>
  ) throws(SystemError) -> OutputLog {
    try Files.makeFolders(path)
    let log = try OutputLog(path: "\(path)/\(run.value).log", limit: policy.maxSize)
    let runs = try Files.list(path).compactMap(Self.run(ofLog:)).sorted()
    for old in runs.dropLast(max(1, policy.keep)) where !active.contains(old) && old != run {
      try Files.remove("\(path)/\(old.value).log")
    }
    return log
  }

  /// Removes the logs of these runs; one that is gone already is no error.
  func removeLogs(of runs: [RunNumber]) throws(SystemError) {
    for run in runs { try Files.remove("\(path)/\(run.value).log") }
  }

  private static func run(ofLog name: String) -> RunNumber? {
    guard name.hasSuffix(".log") else { return nil }
    return Int64(name.dropLast(4)).map { RunNumber($0) }
  }
}
