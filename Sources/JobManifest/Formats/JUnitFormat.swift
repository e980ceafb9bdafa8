import YAMLSource

/// A JUnit report: a suite for each file, a failed case for each finding that fails the check.
struct JUnitFormat {
  let renderers: [DiagnosticRenderer]
  let setting: ReportSetting

  var text: String {
    var suites = ""
    var (tests, failures) = (0, 0)
    for renderer in renderers {
      for number in renderer.set.files.indices {
        let found = renderer.set.diagnostics.filter { $0.source == number }
        let failed = found.count { $0.severity >= setting.limit }
        let path = setting.relative(renderer.path(number))
        suites += suite(path, found, failed, renderer)
        tests += max(1, found.count)
        failures += failed
      }
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="bgrun validate" tests="\(tests)" failures="\(failures)" errors="0">
      \(suites)</testsuites>

      """
  }

  private func suite(
    _ path: String, _ found: [Diagnostic], _ failed: Int, _ renderer: DiagnosticRenderer
  ) -> String {
    let name = Self.escaped(path)
    var text = "  <testsuite name=\"\(name)\" tests=\"\(max(1, found.count))\""
    text += " failures=\"\(failed)\" errors=\"0\" skipped=\"0\">\n"
    if found.isEmpty { text += "    <testcase name=\"no findings\" classname=\"\(name)\"/>\n" }
    for diagnostic in found { text += testCase(diagnostic, name, renderer) }
    return text + "  </testsuite>\n"
  }

  private func testCase(
    _ diagnostic: Diagnostic, _ className: String, _ renderer: DiagnosticRenderer
  ) -> String {
    let start = renderer.position(of: diagnostic)
    let name = "\(diagnostic.rule.name) at \(start.line):\(start.column)"
    let text = Self.escaped(renderer.text(of: diagnostic))
    let message = Self.escaped(diagnostic.fullMessage)
    let severity = diagnostic.severity.rawValue
    let body =
      diagnostic.severity >= setting.limit
      ? "<failure message=\"\(message)\" type=\"\(severity)\">\(text)</failure>"
      : "<system-out>\(text)</system-out>"
    return "    <testcase name=\"\(name)\" classname=\"\(className)\">\n      \(body)\n"
      + "    </testcase>\n"
  }

  /// What XML gives a meaning is escaped; what it can't hold at all is replaced.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
