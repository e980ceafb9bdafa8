import JobModel
import YAMLSource

/// A place that a job's handler works on and that isn't on this machine.
enum MissingResource: JobRule {
  static let rule = Rule(
    "missing-resource", .error,
    "A folder or file that a job's handler works on isn't on this machine.",
    explanation: """
      A parameter in `with` names a folder or file that has to be there before the handler runs, or \
      an output whose folder has to be there, and it isn't: mostly the name is misspelt, and every \
      run of the job would fail. Relative paths count from the folder of the manifest. Only \
      `validate` looks; a runner may start before a disk is mounted. Where a manifest is checked on \
      another machine than the one that runs it, `# bgrun: ignore[missing-resource]` above the line \
      says so.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          kind: processing
          handler: files.prune
          with: {path: cahce, olderThan: 30d}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          kind: processing
          handler: files.prune
          with: {path: cache, olderThan: 30d}

      """,
    dependsOnMachine: true)

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let with = job.effective(.with), case .mapping = with.content,
      let handler = job.handlerName
    else { return }
    let places = job.environment.namedPlaces(handler)
    guard !places.isEmpty else { return }
    let parameters = ParameterText(tree: job.tree)
    for (name, written) in parameters.pairs(of: with.value) {
      guard let place = places.first(where: { $0.parameter == name }),
        let path = parameters.text(of: written), !path.isEmpty,
        let problem = problem(with: path, place.kind, of: job)
      else { continue }
      report(
        Finding(
          rule, at: job.tree.range(of: written), problem.sentence,
          hint: "each run would use '\(problem.path)' and fail"))
    }
  }

  /// What is wrong with a path as it is written, and the absolute path that isn't as it has to be;
  /// nil where nothing is wrong.
  private static func problem(
    with path: String, _ kind: NamedPlace.Kind, of job: CheckedJob
  ) -> (sentence: String, path: String)? {
    let name = path.shortened
    let absolute = job.absolute(path)
    switch (kind, job.environment.place(absolute)) {
    case (_, .hidden), (.folder, .folder), (.file, .file), (.output, .file), (.output, .other):
      return nil
    case (.folder, .nothing): return ("there is no folder '\(name)'", absolute)
    case (.folder, .file), (.folder, .other): return ("'\(name)' is no folder", absolute)
    case (.file, .nothing): return ("there is no file '\(name)'", absolute)
    case (.file, .folder), (.file, .other): return ("'\(name)' is no file", absolute)
    case (.output, .folder):
      return ("'\(name)' is a folder, not the name of a file to write", absolute)
    case (.output, .nothing):
      guard let slash = path.lastIndex(of: "/") else { return nil }
      let folder = String(path[..<slash])
      switch job.environment.place(job.absolute(folder)) {
      case .folder, .hidden: return nil
      case .nothing:
        return ("there is no folder '\(folder.shortened)' to write into", job.absolute(folder))
      case .file, .other:
        return ("'\(folder.shortened)' is no folder to write into", job.absolute(folder))
      }
    }
  }
}
