import JobModel
import LinuxSystem

/// Where the captured output of a run is (manifest.md, "Run numbers").
enum LogFile {
  /// The file's path inside the state folder.
  static func path(of run: RunNumber, _ identifier: JobIdentifier, in folder: String) -> String {
    "\(folder)/output/\(identifier)/\(run).log"
  }

  /// The path, or the nearest folder above it that is there: what changes when the file comes.
  static func nearestExisting(_ path: String) -> String {
    var path = path
    while (try? Files.status(path)) ?? nil == nil, path != Files.parent(of: path) {
      path = Files.parent(of: path)
    }
    return path
  }
}
