import Glibc
import JobManifest
import LinuxSystem

/// `bgrun init`: a first manifest, with its schema beside it.
enum InitCommand {
  private static let path = Argument(
    "PATH", .path, .optional, "The file to write. Otherwise jobs/jobs.yaml.")

  static let schemaName = "bgrun-manifest.schema.json"

  static let command = Command(
    "init", summary: "write a first manifest",
    discussion: [
      "Writes a manifest with one job, to be changed, and beside it the JSON Schema that its first "
        + "line names, so that editors complete and explain keys. A manifest that is there already "
        + "is never overwritten; a schema is."
    ],
    arguments: [path],
    examples: [
      .init("bgrun init", "A first manifest in jobs/, where every command looks for it."),
      .init("bgrun init ci/nightly.yaml", "One in another place."),
    ],
    exitCodes: [
      (.done, "The manifest was written."),
      (.notDone, "It is there already, or can't be written."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let context = invocation.context
    let path = invocation.arguments.text(path) ?? "jobs/jobs.yaml"
    let file = context.absolutePath(path)
    guard file.hasSuffix(".yaml") || file.hasSuffix(".yml") else {
      throw .notDone("'\(path)' is no name for a manifest: it must end in .yaml or .yml")
    }
    do throws(SystemError) {
      try Files.makeFolders(Files.parent(of: file), permissions: 0o755)
      guard try Files.status(file) == nil else { throw SystemError("open", path, code: EEXIST) }
      try Files.write(
        Array(ManifestSchema.text.utf8), to: Files.parent(of: file) + "/" + schemaName,
        permissions: 0o644)
      try Files.write(Array(manifest.utf8), to: file, permissions: 0o644)
    } catch {
      guard error.code == EEXIST else {
        throw .notDone("can't write '\(path)': \(error.reason)")
      }
      throw .notDone(
        "'\(path)' is there already and isn't overwritten",
        advice: "Name another file: bgrun init PATH")
    }
    context.output.writeLine("Wrote \(path). Next: bgrun validate \(path)")
    return .done
  }

  /// One job that does something visible and harmless.
  static let manifest = """
    # yaml-language-server: $schema=\(schemaName)
    # What may run, and when. A key in a word: bgrun explain KEY
    version: 1
    app: com.example.first
    jobs:
      - identifier: com.example.first.report
        description: Note how full the disk is
        shell: df -h . >> disk-report.txt
        schedule: {every: 1d}
        # Only while the machine is plugged in; whatever is missed meanwhile is made up for once.
        requiresExternalPower: true
        timeLimit: 1m

    """
}
