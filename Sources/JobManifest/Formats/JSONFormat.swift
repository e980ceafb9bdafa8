import JobModel
import YAMLSource

extension DiagnosticRenderer {
  /// All diagnostics as one JSON array, `[]` where there is none.
  package func json() -> String { Self.json(of: [set]) }

  /// The diagnostics of several sets as one JSON array, `[]` where there is none.
  package static func json(of sets: [LoadedSet]) -> String {
    let elements = sets.flatMap { set in
      let renderer = DiagnosticRenderer(set)
      return set.diagnostics.map(renderer.json)
    }
    return elements.isEmpty ? "[]\n" : "[\n" + elements.joined(separator: ",\n") + "\n]\n"
  }

  private func json(_ diagnostic: Diagnostic) -> String {
    let place = places(diagnostic.source, diagnostic.range)
    let notes = diagnostic.notes.map { note in
      let place = places(note.source, note.range)
      return """
        {"message":\(JSONValue.quoted(note.message)),"file":\(JSONValue.quoted(path(note.source))),\
        "start":\(place.start),"end":\(place.end)}
        """
    }
    let fix = diagnostic.fix.map { fix in
      let place = places(diagnostic.source, fix.range)
      return """
        {"start":\(place.start),"end":\(place.end),"text":\(JSONValue.quoted(fix.text))}
        """
    }
    return """
      {"file":\(JSONValue.quoted(path(diagnostic.source))),\
      "severity":"\(diagnostic.severity.rawValue)","rule":"\(diagnostic.rule.name)",\
      "message":\(JSONValue.quoted(diagnostic.fullMessage)),"job":\(optional(diagnostic.job)),\
      "path":\(optional(diagnostic.path)),"start":\(place.start),"end":\(place.end),\
      "notes":[\(notes.joined(separator: ","))],"fix":\(fix ?? "null")}
      """
  }

  private func optional(_ text: String?) -> String { text.map(JSONValue.quoted) ?? "null" }

  private func places(_ source: Int, _ range: ByteRange) -> (start: String, end: String) {
    let table = table(source)
    return (json(table.position(of: Int(range.start))), json(table.position(of: Int(range.end))))
  }

  private func json(_ position: SourcePosition) -> String {
    """
    {"line":\(position.line),"column":\(position.column),"offset":\(position.offset),\
    "utf16":\(position.utf16Column)}
    """
  }
}
