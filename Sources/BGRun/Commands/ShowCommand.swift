import JobManifest
import JobModel
import YAMLSource

/// `bgrun show`: the effective values of a job and where each comes from.
enum ShowCommand {
  private static let identifier = Argument("ID", .identifier, .required, "The job.")

  static let command = Command(
    "show", summary: "the effective values of a job and where each comes from",
    discussion: [
      "Lists every key that has an effect on the job, its value, and whether the job itself, the "
        + "manifest's defaults or bgrun sets it, with the place in the file.",
      "The first line on standard error names the store that is read: without --manifest and a "
        + "manifest here, the job set is the one that its runner last ran.",
    ],
    arguments: [identifier],
    options: [.manifest, .state],
    examples: [.init("bgrun show com.example.backup", "All that holds for the backup.")],
    exitCodes: [
      (.done, "The values were shown."),
      (.findings, "The manifest has errors, which are shown."),
      (.notDone, "The manifest has no such job, or no manifest was found."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forReading(invocation)
    let identifier = JobIdentifier(invocation.arguments.text(identifier) ?? "")
    guard let loaded = workplace.loaded, let jobs = workplace.jobs else {
      throw .notDone(
        "no manifest is known for the store in \(workplace.folder)",
        advice: "Name it with --manifest PATH.")
    }
    guard let definition = jobs.definition(for: identifier) else {
      throw .unknownJob(identifier, known: jobs.jobs.keys.sorted())
    }
    guard
      let values = loaded.provenance.values(of: definition.identifier, kind: definition.kind)
    else { throw .fault("the manifest's job '\(definition.identifier)' has no recorded values") }
    let output = invocation.context.output
    if definition.identifier != identifier {
      output.writeLine("\(identifier) is permitted by the entry \(definition.identifier):")
    }
    var table = TextTable([("KEY", .left), ("VALUE", .left), ("FROM", .left)])
    for value in values where hasEffect(value, in: definition) {
      table.add([
        .init(FieldTable.path(of: value.field), value.origin == .builtIn ? .dim : nil),
        .init(text(of: value, in: definition), value.origin == .builtIn ? .dim : nil),
        .init(origin(of: value), value.origin == .job ? nil : .dim),
      ])
    }
    for line in table.lines(invocation.outputStyle) { output.writeLine(line) }
    return .done
  }

  /// What isn't written and only counts with something else that isn't there is left out.
  private static func hasEffect(_ value: Provenance.Value, in job: JobDefinition) -> Bool {
    guard value.origin == .builtIn else { return true }
    if FieldTable.scope(of: value.field) == .schedule { return job.schedule != nil }
    if FieldTable.scope(of: value.field) == .progress { return job.kind == .continuedProcessing }
    return value.field != .handler || !job.action.isCommand
  }

  /// The value as the file writes it, or the one that bgrun sets for this very job.
  private static func text(of value: Provenance.Value, in job: JobDefinition) -> String {
    guard value.origin == .builtIn else { return oneLine(value.text) }
    return switch value.field {
    case .kind: job.kind.rawValue
    case .handler: job.identifier.text
    case .workingDirectory: job.workingDirectory
    case .timeLimit: job.timeLimit.map(DurationText.format) ?? "none"
    case .expirationGrace: DurationText.format(job.expirationGrace)
    default: oneLine(value.text)
    }
  }

  private static func origin(of value: Provenance.Value) -> String {
    let place = value.place.map { " \($0.path):\($0.position.line)" } ?? ""
    return switch value.origin {
    case .job: "job" + place
    case .defaults: "defaults" + place
    case .builtIn: "built-in"
    }
  }

  /// The lines of a block, as YAML writes it, in one row.
  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline)
      .map { String($0.drop { $0 == " " }) }.joined(separator: " ⏎ ")
  }
}
