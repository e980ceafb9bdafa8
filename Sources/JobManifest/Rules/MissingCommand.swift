import JobModel
import YAMLSource

/// A program that isn't on this machine.
enum MissingCommand: JobRule {
  static let rule = Rule(
    "missing-command", .warning, "A command's program isn't on this machine or can't be run.",
    explanation: """
      The program that a job runs isn't found on the PATH of this machine, or may not be \
      executed. It is a warning because a manifest may be checked on another machine than the \
      one that runs it. Paths with a slash count from the folder of the manifest.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: [cleanup-cache, --old]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: [/usr/bin/env, cleanup-cache, --old]

      """,
    dependsOnMachine: true)

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let setting = job.own[.command], case .list = setting.content,
      let written = job.tree.firstChild(of: setting.value)
    else { return }
    let program = job.tree.resolved(written)
    if job.programs.wasFoundLast(program, in: job.tree) { return }
    let place = job.tree.range(of: written)
    let name = job.tree.text(of: program)
    let message: String
    switch job.programs.find(name, from: job.folder) {
    case .found: return
    case .missing where name.utf8.contains(UInt8(ascii: "/")):
      message = "there is no program '\(name.shortened)'"
    case .missing:
      message = "'\(name.shortened)' isn't on the PATH"
    case .notExecutable:
      message = "'\(name.shortened)' isn't executable"
    }
    report(
      Finding(
        rule, at: place, message, hint: "on this machine, runs of this job would fail"))
  }
}
