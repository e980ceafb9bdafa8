import JobModel
import YAMLSource

extension Diagnostic {
  /// The message with what the text format writes beside the caret.
  var fullMessage: String { message + (hint.map { ": \($0)" } ?? "") }
}

extension DiagnosticRenderer {
  func position(of diagnostic: Diagnostic) -> SourcePosition {
    table(diagnostic.source).position(of: Int(diagnostic.range.start))
  }

  func end(of diagnostic: Diagnostic) -> SourcePosition {
    table(diagnostic.source).position(of: Int(diagnostic.range.end))
  }

  /// Names of the findings that stay the same when lines move: by rule, file, job, key and what is
  /// written there, and by number where that is the same twice.
  func fingerprints(_ setting: ReportSetting) -> [String] {
    var counts: [UInt64: Int] = [:]
    return set.diagnostics.map { diagnostic in
      let source = set.files[diagnostic.source].text
      let job = diagnostic.job ?? ""
      // The number of a job in its list moves with the lines; its identifier doesn't.
      let key = diagnostic.path.map { job.isEmpty ? $0 : Self.behindJob($0) } ?? ""
      let hash = StableHash.of([
        diagnostic.rule.name, setting.relative(path(diagnostic.source)), job, key,
        source.text(in: diagnostic.range),
      ])
      let number = counts[hash, default: 0]
      counts[hash] = number + 1
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits + ":\(number)"
    }
  }

  private static func behindJob(_ path: String) -> String {
    path.firstIndex(of: "]").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
