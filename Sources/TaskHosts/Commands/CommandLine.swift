import JobModel
import LinuxSystem

/// Which program a job's command is, and what it sees as its arguments. There is no word splitting
/// and no expansion anywhere.
struct CommandLine: Hashable {
  var program: String
  var arguments: [String]

  /// Finds the program: a name with a slash is a path against the manifest's folder, any other one
  /// is searched for in the folders of the run's own `PATH`.
  init(_ job: JobDefinition, searching path: String) throws(LaunchProblem) {
    switch job.action {
    case .shell(let line):
      program = "/bin/sh"
      arguments = ["sh", "-c", line]
    case .command(let words):
      guard let name = words.first, !name.isEmpty else {
        throw LaunchProblem("the command is empty")
      }
      arguments = words
      if name.hasPrefix("/") {
        program = name
      } else if name.contains("/") {
        program = "\(job.manifestFolder)/\(name)"
      } else if let found = Files.executable(named: name, searching: path) {
        program = found
      } else {
        throw LaunchProblem("no program named \(name) in the folders of PATH (\(path))")
      }
    case .handler(let name):
      throw LaunchProblem("the handler \(name) isn't a command")
    }
  }
}
