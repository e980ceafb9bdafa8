import JobManifest
import LinuxSystem

/// Which reports a check writes, and where to.
struct ReportPlan {
  struct Report {
    var format: DiagnosticFormat
    /// A file, as the user gave it; nil is standard output.
    var path: String?
  }

  /// Behind `--format`, each belonging to the format before it.
  private(set) var reports: [Report] = []

  init(_ invocation: Invocation) throws(CommandFailure) {
    for given in invocation.arguments.given(Self.format, Self.output) {
      if given.name == Self.format.name {
        reports.append(Report(format: Self.format(given.text, invocation.context), path: nil))
      } else if let last = reports.last, last.path == nil {
        reports[reports.count - 1].path = given.text
      } else {
        throw .usage(
          UsageError(
            "'--output \(given.text)' belongs behind the '--format' that goes there",
            command: "validate"))
      }
    }
    if reports.isEmpty { reports = [Report(format: .text, path: nil)] }
    guard reports.count(where: { $0.path == nil }) <= 1 else {
      throw .usage(
        UsageError(
          "only one '--format' can go to standard output: give the others an '--output FILE'",
          command: "validate"))
    }
  }

  static let format = Option(
    "--format", "FORMAT", .choice(DiagnosticFormat.allCases.map(\.rawValue) + ["auto"]),
    isRepeatable: true,
    "text (the default) or compact for people; json, github (annotations of a workflow), sarif, junit "
      + "or gitlab (Code Quality) for programs; auto is github in a GitHub workflow, otherwise text."
  )
  static let output = Option(
    "--output", "FILE", .path, isRepeatable: true,
    "Where the format before it goes, instead of standard output.")

  private static func format(_ name: String, _ context: CommandContext) -> DiagnosticFormat {
    DiagnosticFormat(rawValue: name)
      ?? (context.variable("GITHUB_ACTIONS") == "true" ? .github : .text)
  }

  /// Writes every report: a machine format stands alone where it goes.
  ///
  /// - Parameter withholdsOutput: standard output has something else already.
  func write(
    _ sets: [LoadedSet], _ setting: ReportSetting, to context: CommandContext,
    withholdsOutput: Bool
  ) throws(CommandFailure) {
    for report in reports {
      var setting = setting
      if report.path != nil { setting.isColoured = false }
      let text = report.format.render(sets, setting)
      guard let path = report.path else {
        if !withholdsOutput { context.output.write(text) }
        continue
      }
      do {
        try Files.write(
          Array(text.utf8), to: context.absolutePath(path), permissions: 0o644)
      } catch {
        throw .notDone("can't write '\(path)': \(error.reason)")
      }
    }
    context.output.flush()
  }
}
