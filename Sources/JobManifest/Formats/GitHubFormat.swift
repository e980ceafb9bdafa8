import YAMLSource

/// Workflow commands of GitHub Actions.
struct GitHubFormat {
  let renderer: DiagnosticRenderer
  let setting: ReportSetting

  var text: String { renderer.set.diagnostics.map(line).joined() }

  private func line(_ diagnostic: Diagnostic) -> String {
    let command =
      switch diagnostic.severity {
      case .error: "error"
      case .warning: "warning"
      case .note: "notice"
      }
    let start = renderer.position(of: diagnostic)
    let end = renderer.end(of: diagnostic)
    let path = setting.relative(renderer.path(diagnostic.source))
    var properties = ["file=\(Self.property(path))", "line=\(start.line)", "endLine=\(end.line)"]
    // GitHub refuses columns on a range of several lines.
    if start.line == end.line {
      properties += ["col=\(start.column)", "endColumn=\(max(start.column, end.column - 1))"]
    }
    properties.append("title=\(Self.property(diagnostic.rule.name))")
    return
      "::\(command) \(properties.joined(separator: ","))::\(Self.data(diagnostic.fullMessage))\n"
  }

  /// What ends a command or begins an escape is escaped itself.
  private static func data(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A"])
  }

  private static func property(_ text: String) -> String {
    escaped(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func escaped(_ text: String, _ replacements: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let replacement = replacements[scalar] {
        result += replacement
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
