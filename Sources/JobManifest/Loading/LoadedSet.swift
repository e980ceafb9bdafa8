package import JobModel
package import YAMLSource

/// What loading a set of manifests has come to.
package struct LoadedSet: Sendable {
  /// One source with its text, for showing places in it.
  package struct File: Sendable {
    package let path: String
    package let text: SourceText
    /// Whoever reads on from this offset finds what wasn't checked; nil: all was.
    package let uncheckedFrom: Int?
  }

  package let files: [File]
  /// In the order of the files and of the places in them.
  package let diagnostics: [Diagnostic]
  /// How many jobs the files hold, good or not.
  package let jobCount: Int
  /// nil where there is an error, or where only a check was asked for.
  package let jobSet: JobSet?
  package let provenance: Provenance

  /// Whether a severity, or a worse one, was found.
  package func holds(_ severity: Severity) -> Bool {
    diagnostics.contains { $0.severity >= severity }
  }
}

/// Where the values of jobs come from, for `show`.
package struct Provenance: Sendable {
  package enum Origin: Hashable, Sendable {
    case job
    case defaults
    case builtIn
  }

  /// One effective value.
  package struct Value: Sendable {
    package let field: FieldID
    package let origin: Origin
    /// As the file writes it, or as the reference says it.
    package let text: String
    /// nil where it is built in.
    package let place: Place?
  }

  package struct Place: Sendable {
    package let path: String
    package let position: SourcePosition
  }

  struct Entry: Sendable {
    let field: FieldID
    let origin: Origin
    let source: Int
    let range: ByteRange
  }

  let files: [LoadedSet.File]
  let entries: [JobIdentifier: [Entry]]

  /// The values of a job in the order of the reference, with what is built in where nobody sets
  /// it; nil for an identifier that the set doesn't hold.
  package func values(of identifier: JobIdentifier, kind: JobKind) -> [Value]? {
    guard let written = entries[identifier] else { return nil }
    var tables: [Int: LineTable] = [:]
    var values: [Value] = []
    for field in Self.shownFields where field.effect.kinds.contains(kind) {
      guard let entry = written.first(where: { $0.field == field.id }) else {
        if let builtIn = field.builtIn {
          values.append(Value(field: field.id, origin: .builtIn, text: builtIn, place: nil))
        }
        continue
      }
      let file = files[entry.source]
      let table = tables[entry.source] ?? LineTable(source: file.text)
      tables[entry.source] = table
      values.append(
        Value(
          field: field.id, origin: entry.origin, text: file.text.text(in: entry.range),
          place: Place(path: file.path, position: table.position(of: Int(entry.range.start)))))
    }
    return values
  }

  /// The keys that hold a value themselves, groups spread out.
  private static let shownFields: [Field] = JobFields.all.flatMap { field in
    if case .group(let scope) = field.type { scope.fields } else { [field] }
  }
}
