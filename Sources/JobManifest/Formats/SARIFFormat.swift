import JobModel
import YAMLSource

/// SARIF 2.1.0: one run with every rule, found or not.
struct SARIFFormat {
  let renderers: [DiagnosticRenderer]
  let setting: ReportSetting

  var text: String {
    let results = renderers.flatMap { renderer in
      zip(renderer.set.diagnostics, renderer.fingerprints(setting)).map { result($0, $1, renderer) }
    }
    let driver = JSONValue.object([
      .init("name", .text("bgrun")), .init("version", .text(setting.version)),
      .init("rules", .array(RuleTable.all.map(Self.descriptor))),
    ])
    return JSONValue.object([
      .init("$schema", .text("https://json.schemastore.org/sarif-2.1.0.json")),
      .init("version", .text("2.1.0")),
      .init(
        "runs",
        .array([
          .object([
            .init("tool", .object([.init("driver", driver)])),
            .init("columnKind", .text("unicodeCodePoints")),
            .init("results", .array(results)),
          ])
        ])),
    ]).text(isIndented: true) + "\n"
  }

  private static let numbers = Dictionary(
    uniqueKeysWithValues: RuleTable.all.enumerated().map { ($0.element, $0.offset) })

  private static func descriptor(_ rule: Rule) -> JSONValue {
    let page = RulePage(rule).markdown(output: nil)
    return .object([
      .init("id", .text(rule.name)),
      .init("shortDescription", message(rule.summary)),
      .init("fullDescription", message(rule.explanation.filter { $0 != "`" })),
      .init(
        "help",
        .object([
          .init("text", .text(rule.explanation.filter { $0 != "`" })),
          .init("markdown", .text(page)),
        ])),
      .init("defaultConfiguration", .object([.init("level", level(rule.severity))])),
    ])
  }

  private func result(
    _ diagnostic: Diagnostic, _ fingerprint: String, _ renderer: DiagnosticRenderer
  ) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("ruleId", .text(diagnostic.rule.name)),
      .init("ruleIndex", .optional(Self.numbers[diagnostic.rule]) { .integer($0) }),
      .init("level", Self.level(diagnostic.severity)),
      .init("message", Self.message(diagnostic.fullMessage)),
      .init(
        "locations",
        .array([
          location(
            diagnostic.source, diagnostic.range, renderer,
            named: diagnostic.path.map(JSONValue.text))
        ])),
      .init("partialFingerprints", .object([.init("bgrun/v1", .text(fingerprint))])),
    ]
    if !diagnostic.notes.isEmpty {
      members.append(
        .init(
          "relatedLocations",
          .array(
            diagnostic.notes.enumerated().map { number, note in
              location(
                note.source, note.range, renderer, id: number + 1, message: note.message)
            })))
    }
    if let fix = diagnostic.fix {
      members.append(.init("fixes", .array([replacement(fix, diagnostic, renderer)])))
    }
    return .object(members)
  }

  private func location(
    _ source: Int, _ range: ByteRange, _ renderer: DiagnosticRenderer, id: Int? = nil,
    message: String? = nil, named name: JSONValue? = nil
  ) -> JSONValue {
    var members: [JSONValue.Member] = []
    if let id { members.append(.init("id", .integer(id))) }
    members.append(
      .init(
        "physicalLocation",
        .object([
          .init("artifactLocation", artifact(source, renderer)),
          .init("region", region(source, range, renderer)),
        ])))
    if let name {
      members.append(
        .init("logicalLocations", .array([.object([.init("fullyQualifiedName", name)])])))
    }
    if let message { members.append(.init("message", Self.message(message))) }
    return .object(members)
  }

  /// 1-based, the end one column behind the last character.
  private func region(
    _ source: Int, _ range: ByteRange, _ renderer: DiagnosticRenderer
  ) -> JSONValue {
    let start = renderer.table(source).position(of: Int(range.start))
    let end = renderer.table(source).position(of: Int(range.end))
    return .object([
      .init("startLine", .integer(start.line)), .init("startColumn", .integer(start.column)),
      .init("endLine", .integer(end.line)), .init("endColumn", .integer(end.column)),
    ])
  }

  private func replacement(
    _ fix: Diagnostic.Fix, _ diagnostic: Diagnostic, _ renderer: DiagnosticRenderer
  ) -> JSONValue {
    let edit = JSONValue.object([
      .init("deletedRegion", region(diagnostic.source, fix.range, renderer)),
      .init("insertedContent", .object([.init("text", .text(fix.text))])),
    ])
    return .object([
      .init("description", Self.message("write \(fix.text)")),
      .init(
        "artifactChanges",
        .array([
          .object([
            .init("artifactLocation", artifact(diagnostic.source, renderer)),
            .init("replacements", .array([edit])),
          ])
        ])),
    ])
  }

  private func artifact(_ source: Int, _ renderer: DiagnosticRenderer) -> JSONValue {
    .object([.init("uri", .text(Self.uri(setting.relative(renderer.path(source)))))])
  }

  /// A relative reference, or a file URI for a path outside the folder.
  private static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        byte < 0x80
        && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "/-._~".unicodeScalars.contains(scalar))
      if isPlain {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.utf8.count == 1 ? "0" : "") + digits
      }
    }
    return text
  }

  private static func message(_ text: String) -> JSONValue { .object([.init("text", .text(text))]) }

  private static func level(_ severity: Severity) -> JSONValue { .text(severity.rawValue) }
}
