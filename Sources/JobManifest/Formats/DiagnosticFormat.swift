import YAMLSource

/// The forms in which `validate` tells what it found.
package enum DiagnosticFormat: String, CaseIterable, Sendable {
  /// For people: each finding with its line and a caret.
  case text
  /// One line for each finding.
  case compact
  case json
  /// Workflow commands, which GitHub shows beside the lines of a change.
  case github
  /// SARIF 2.1.0, for code scanning.
  case sarif
  case junit
  /// GitLab's Code Quality report.
  case gitlab

  /// All that is found in some sets, in this form; valid where nothing is.
  package func render(_ sets: [LoadedSet], _ setting: ReportSetting) -> String {
    let renderers = sets.map { DiagnosticRenderer($0) }
    return switch self {
    case .text:
      renderers.map { $0.text(colour: setting.isColoured) }.filter { !$0.isEmpty }
        .joined(separator: "\n")
    case .compact: renderers.map(\.compact).joined()
    case .json: DiagnosticRenderer.json(of: sets)
    case .github: renderers.map { GitHubFormat(renderer: $0, setting: setting).text }.joined()
    case .sarif: SARIFFormat(renderers: renderers, setting: setting).text
    case .junit: JUnitFormat(renderers: renderers, setting: setting).text
    case .gitlab: GitLabFormat(renderers: renderers, setting: setting).text
    }
  }
}

/// What a report needs to know beside the findings.
package struct ReportSetting: Sendable {
  package var isColoured: Bool
  /// The least severity that makes the check fail.
  package var limit: Severity
  /// Absolute: paths inside it are reported relative to it.
  package var folder: String
  /// The version of the program.
  package var version: String

  package init(isColoured: Bool, limit: Severity, folder: String, version: String) {
    self.isColoured = isColoured
    self.limit = limit
    self.folder = folder
    self.version = version
  }

  /// A path as tools that know a checkout want it: relative, without "./".
  package func relative(_ path: String) -> String {
    var path = path
    if path.hasPrefix(folder + "/") { path.removeFirst(folder.utf8.count + 1) }
    while path.hasPrefix("./") { path.removeFirst(2) }
    return path
  }
}

extension DiagnosticRenderer {
  /// A line for each finding: `file:line:column: severity: message [rule]`.
  var compact: String {
    self.set.diagnostics.map { diagnostic in
      let start = position(of: diagnostic)
      return "\(path(diagnostic.source)):\(start.line):\(start.column): "
        + "\(diagnostic.severity.rawValue): \(diagnostic.fullMessage) [\(diagnostic.rule.name)]\n"
    }.joined()
  }
}
