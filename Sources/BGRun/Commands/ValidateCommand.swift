import JobManifest
import LinuxSystem
import Runner

/// `bgrun validate`: every mistake of manifests, in one pass (validate.md).
enum ValidateCommand {
  private static let paths = Argument(
    "PATH", .path, .repeated,
    "Manifests, folders of manifests, or '-' for the standard input; each is one job set. "
      + "Otherwise $BGRUN_MANIFEST, or the first that exists of ./jobs, "
      + "$XDG_CONFIG_HOME/bgrun/jobs and /etc/bgrun/jobs.")
  private static let strict = Option(flag: "--strict", "Warnings are findings too.")
  private static let inputName = Option(
    "--stdin-filename", "NAME", .path, "What '-' is called in diagnostics.")

  private static let fix = Option(
    flag: "--fix",
    "Write the safe fixes into the files: the one near spelling, quotes, yes and no, 90 for 90s. All "
      + "else stays as it is.")
  private static let difference = Option(
    flag: "--diff", "Show what --fix would change, for patch or git apply, and write nothing.")
  private static let watch = Option(
    flag: "--watch", "Check again at each save, until Ctrl-C.")

  static let command = Command(
    "validate", summary: "check manifests: every mistake, its place and its fix",
    discussion: [
      "Reports all mistakes in one pass, in the order of the file, each with its line, its column, the "
        + "rule in brackets and what to write instead. Nothing is run and nothing is fetched.",
      "The summary goes to standard error. A comment '# bgrun: ignore[RULE] reason' on a line, or on "
        + "the line above it, silences a rule there.",
    ],
    arguments: [paths],
    options: [ReportPlan.format, ReportPlan.output, strict, fix, difference, watch, inputName],
    examples: [
      .init("bgrun validate", "The manifests of this folder."),
      .init("bgrun validate jobs --strict", "In CI, where warnings fail too."),
      .init(
        "bgrun validate - --stdin-filename jobs/mail.yaml < draft.yaml",
        "What an editor hasn't saved yet."),
      .init("bgrun validate jobs --fix", "Mend what needs no decision, then report the rest."),
      .init(
        "bgrun validate jobs --format auto --format sarif --output bgrun.sarif",
        "In a workflow: annotations, and a report for code scanning."),
    ],
    exitCodes: [
      (.done, "No findings."),
      (.findings, "At least one error, or with --strict a warning."),
      (.interrupted, "Ctrl-C ended --watch."),
      (.notDone, "Something couldn't be checked: a missing file, a folder without manifests."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let context = invocation.context
    let arguments = invocation.arguments
    guard let location = ManifestLocation.find(given: arguments.texts(paths), in: context) else {
      throw .noManifest(in: context)
    }
    guard !arguments.contains(fix) || !arguments.contains(difference) else {
      throw .usage(
        UsageError("'--fix' writes what '--diff' only shows: give one", command: "validate"))
    }
    let check = ManifestCheck(
      context: context, paths: location.paths, inputName: arguments.text(inputName),
      plan: try ReportPlan(invocation),
      setting: ReportSetting(
        isColoured: invocation.outputStyle.isColored,
        limit: arguments.contains(strict) ? .warning : .error, folder: context.currentFolder,
        version: Program.version),
      fixing: arguments.contains(fix) ? .written : arguments.contains(difference) ? .shown : .none)
    return arguments.contains(watch) ? try repeated(check) : try check.run()
  }

  /// Checks at once and again at each save, until Ctrl-C.
  private static func repeated(_ check: ManifestCheck) throws(CommandFailure) -> ExitCode {
    guard !check.paths.contains("-") else {
      throw .usage(UsageError("the standard input can't be watched", command: "validate"))
    }
    let context = check.context
    do {
      let loop = try EventLoop()
      var isInterrupted = false
      var isChanged = false
      let interrupts = try context.watchInterrupts(loop) { isInterrupted = true }
      let saves = try ManifestWatch(
        paths: check.paths.map(context.absolutePath), loop: loop
      ) { isChanged = true }
      try withExtendedLifetime((interrupts, saves)) { () throws(any Error) in
        checkOnce(check)
        while !isInterrupted, context.output.failure == nil {
          _ = try loop.runOnce()
          guard isChanged else { continue }
          isChanged = false
          checkOnce(check)
        }
      }
    } catch let error as SystemError {
      throw .notDone("can't watch the manifests: \(error.reason)")
    } catch {
      throw .fault("\(error)")
    }
    return .interrupted
  }

  /// A file that is missing for a moment, between two steps of a save, doesn't end the watch.
  private static func checkOnce(_ check: ManifestCheck) {
    do throws(CommandFailure) {
      _ = try check.run()
    } catch {
      check.context.output.flush()
      if case .notDone(let sentence, _) = error { check.context.errors.writeLine(sentence) }
    }
  }
}
