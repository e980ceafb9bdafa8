import JobModel

/// Where the captured output of a run is (manifest.md, "Run numbers").
enum LogFile {
  /// The file's path inside the state folder.
  static func path(of run: RunNumber, _ identifier: JobIdentifier, in folder: String) -> String {
    "\(folder)/output/\(identifier)/\(run).log"
  }
}
