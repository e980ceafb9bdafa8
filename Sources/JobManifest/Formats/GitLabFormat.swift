import JobModel
import YAMLSource

/// GitLab's Code Quality report: one array, `[]` where nothing is found.
struct GitLabFormat {
  let renderers: [DiagnosticRenderer]
  let setting: ReportSetting

  var text: String {
    let issues = renderers.flatMap { renderer in
      zip(renderer.set.diagnostics, renderer.fingerprints(setting)).map { issue($0, $1, renderer) }
    }
    return JSONValue.array(issues).text(isIndented: true) + "\n"
  }

  private func issue(
    _ diagnostic: Diagnostic, _ fingerprint: String, _ renderer: DiagnosticRenderer
  ) -> JSONValue {
    let severity =
      switch diagnostic.severity {
      case .error: "major"
      case .warning: "minor"
      case .note: "info"
      }
    return .object([
      .init("description", .text(diagnostic.fullMessage)),
      .init("check_name", .text(diagnostic.rule.name)),
      .init("fingerprint", .text(fingerprint)),
      .init("severity", .text(severity)),
      .init(
        "location",
        .object([
          .init("path", .text(setting.relative(renderer.path(diagnostic.source)))),
          .init(
            "lines",
            .object([
              .init("begin", .integer(renderer.position(of: diagnostic).line)),
              .init("end", .integer(renderer.end(of: diagnostic).line)),
            ])),
        ])),
    ])
  }
}
