import JobManifest
import LinuxSystem

/// One pass of `validate` over its paths: mends what it is asked to, then reports what is left.
struct ManifestCheck {
  /// What becomes of safe fixes.
  enum Fixing {
    case none
    /// Written into the files.
    case written
    /// Shown as a difference.
    case shown
  }

  let context: CommandContext
  let paths: [String]
  let inputName: String?
  let plan: ReportPlan
  let setting: ReportSetting
  let fixing: Fixing

  func run() throws(CommandFailure) -> ExitCode {
    let reading = JobSetReading(
      context, handlers: context.registerHandlers(), looksForPlaces: true)
    var sets: [LoadedSet] = []
    for path in paths {
      var sources = try ManifestSources(context).sources(at: path, inputName: inputName)
      if fixing != .none { try fix(&sources, path, reading.loader) }
      sets.append(reading.loader.check(sources: sources))
    }
    try plan.write(sets, setting, to: context, withholdsOutput: fixing == .shown)
    for (path, set) in zip(paths, sets) {
      let name = sets.count > 1 ? "\(path): " : ""
      context.errors.writeLine(name + DiagnosticRenderer(set).summary)
    }
    return sets.contains { $0.holds(setting.limit) } ? .findings : .done
  }

  private func fix(
    _ sources: inout [ManifestSource], _ path: String, _ loader: ManifestLoader
  ) throws(CommandFailure) {
    let fixed = FixPlan(sources, loader: loader)
    for (number, count) in fixed.counts.enumerated() where count > 0 {
      let source = fixed.sources[number]
      guard fixing == .written else {
        let difference = UnifiedDifference(
          path: setting.relative(source.path),
          from: String(decoding: sources[number].bytes, as: UTF8.self),
          to: String(decoding: source.bytes, as: UTF8.self))
        context.output.write(difference.text)
        continue
      }
      guard path != "-" else {
        throw .notDone(
          "the standard input can't be mended", advice: "See what would be: --diff instead of --fix"
        )
      }
      do {
        try FileReplacement.write(source.bytes, to: context.absolutePath(source.path))
      } catch {
        throw .notDone("can't write '\(source.path)': \(error.reason)")
      }
      context.errors.writeLine(
        "\(source.path): mended \(count) \(count == 1 ? "mistake" : "mistakes")")
    }
    if fixing == .written { sources = fixed.sources }
  }
}
