import JobManifest
import JobModel

/// `bgrun validate`: every mistake of manifests, in one pass (validate.md).
enum ValidateCommand {
  private static let paths = Argument(
    "PATH", .path, .repeated,
    "Manifests, folders of manifests, or '-' for the standard input; each is one job set. "
      + "Otherwise $BGRUN_MANIFEST, or the first that exists of ./jobs, "
      + "$XDG_CONFIG_HOME/bgrun/jobs and /etc/bgrun/jobs.")
  private static let format = Option(
    "--format", "FORMAT", .choice(["text", "json"]),
    "text (the default) for people, json for programs: one array on standard output.")
  private static let strict = Option(flag: "--strict", "Warnings are findings too.")
  private static let inputName = Option(
    "--stdin-filename", "NAME", .path, "What '-' is called in diagnostics.")

  static let command = Command(
    "validate", summary: "check manifests: every mistake, its place and its fix",
    discussion: [
      "Reports all mistakes in one pass, in the order of the file, each with its line, its column, the "
        + "rule in brackets and what to write instead. Nothing is run and nothing is fetched.",
      "The summary goes to standard error. A comment '# bgrun: ignore[RULE] reason' on a line, or on "
        + "the line above it, silences a rule there.",
    ],
    arguments: [paths],
    options: [format, strict, inputName],
    examples: [
      .init("bgrun validate", "The manifests of this folder."),
      .init("bgrun validate jobs --strict", "In CI, where warnings fail too."),
      .init(
        "bgrun validate - --stdin-filename jobs/mail.yaml < draft.yaml",
        "What an editor hasn't saved yet."),
    ],
    exitCodes: [
      (.done, "No findings."),
      (.findings, "At least one error, or with --strict a warning."),
      (.notDone, "Something couldn't be checked: a missing file, a folder without manifests."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let context = invocation.context
    let given = invocation.arguments.texts(paths)
    guard let location = ManifestLocation.find(given: given, in: context) else {
      throw .noManifest(in: context)
    }
    let reading = JobSetReading(context, handlers: context.registerHandlers())
    let isJSON = invocation.arguments.text(format) == "json"
    let inputName = invocation.arguments.text(inputName)
    var sets: [LoadedSet] = []
    for path in location.paths {
      sets.append(try reading.check(path, inputName: inputName))
    }
    if isJSON {
      context.output.write(DiagnosticRenderer.json(of: sets))
    } else {
      let text = sets.map { DiagnosticRenderer($0).text(colour: invocation.outputStyle.isColored) }
      context.output.write(text.filter { !$0.isEmpty }.joined(separator: "\n"))
    }
    context.output.flush()
    for (path, set) in zip(location.paths, sets) {
      let name = sets.count > 1 ? "\(path): " : ""
      context.errors.writeLine(name + DiagnosticRenderer(set).summary)
    }
    let limit: Severity = invocation.arguments.contains(strict) ? .warning : .error
    return sets.contains { $0.holds(limit) } ? .findings : .done
  }
}
