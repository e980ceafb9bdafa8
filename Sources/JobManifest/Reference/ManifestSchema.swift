import JobModel

/// The JSON Schema (draft-07) of a manifest, for editors and for validators that know no jobs.
///
/// It is made from the table of keys, and describes structure: which keys stand where and what a
/// value looks like. What needs more than one value, or the machine, only the loader knows.
package enum ManifestSchema {
  /// Why a mistake that the loader reports can't be told by a schema.
  package static let onlyTheLoaderKnows: [(what: String, why: String)] = [
    ("alias-limit, depth-limit, size-limit", "limits of reading, before there are values"),
    ("encoding, syntax, undefined-alias", "mistakes of the text, before there are values"),
    ("duplicate-key", "a schema sees the values after the second has replaced the first"),
    ("ambiguous-scalar for 1.0 and 01", "to a schema both are 1"),
    ("several documents in a file", "a schema describes one value"),
    ("duplicate-identifier, set-conflict, unknown-reference, dependency-cycle", "need the set"),
    ("contradiction, no-effect, wildcard-form", "need several keys of a job together"),
    ("missing-key for kind, every and cron", "depend on other keys, or on the defaults"),
    ("invalid-value for strategy: skip of a continuedProcessing job", "needs two keys"),
    ("wrong-type for null", "null restores the built-in value, but only over a default"),
    ("out-of-range for durations and sizes", "a pattern can't compare"),
    ("invalid-cron, never-fires, cron-either-day, dst-gap", "a pattern can't count days"),
    (
      "unknown-time-zone, missing-command, missing-resource, writable-by-others",
      "depend on the machine"
    ),
    ("wrong-parameter", "only the program with the handler knows what it takes"),
    ("comments that ignore a rule", "a schema doesn't see comments"),
    ("no-jobs, short-limit, unused-ignore", "warnings and notes; a schema has only errors"),
  ]

  /// The schema as its file holds it.
  package static var text: String { document.text(isIndented: true) + "\n" }

  private static var document: JSONValue {
    .object(
      [
        .init("$schema", .text("http://json-schema.org/draft-07/schema#")),
        .init("title", .text("bgrun job manifest")),
        .init(
          "description",
          .text(
            "Which jobs may run, and under which conditions. Made by 'bgrun schema'; "
              + "'bgrun validate' knows more.")),
      ]
        + members(of: .topLevel, required: ["version", "jobs"])
        + [
          .init(
            "definitions",
            .object([
              .init("job", .object(members(of: .job, required: ["identifier"]))),
              .init("duration", SchemaType.durationPattern),
              .init("size", SchemaType.sizePattern),
              .init("identifier", SchemaType.identifierPattern),
              .init(
                "text", .object([.init("type", SchemaType.types("string", "number", "boolean"))])),
            ]))
        ])
  }

  /// The members that describe a mapping.
  static func members(of scope: FieldScope, required: [String] = []) -> [JSONValue.Member] {
    let properties = scope.fields.map { field in
      JSONValue.Member(field.name, property(field, in: scope))
    }
    var members: [JSONValue.Member] = [
      .init("type", .text("object")), .init("additionalProperties", .bool(false)),
    ]
    if [.topLevel, .job, .defaults].contains(scope) {
      members.append(.init("patternProperties", .object([.init("^x-", .bool(true))])))
    }
    if !required.isEmpty {
      members.append(.init("required", .array(required.map(JSONValue.text))))
    }
    return members + [.init("properties", .object(properties))]
  }

  private static func property(_ field: Field, in scope: FieldScope) -> JSONValue {
    var members: [JSONValue.Member] = [.init("description", .text(description(of: field)))]
    var type = SchemaType.members(of: field.type, in: scope)
    // In a job, nothing restores the built-in value where there is a default (manifest.md).
    if scope != .defaults, scope != .topLevel, field.mayBeDefault { type = SchemaType.orNull(type) }
    if case .object(let typeMembers) = type { members += typeMembers }
    return .object(members)
  }

  /// What an editor shows when a pointer rests on the key.
  private static func description(of field: Field) -> String {
    var text = field.summary
    if let builtIn = field.builtIn { text += " Default: \(builtIn)." }
    let kinds = field.effect.kinds
    if kinds == [.continuedProcessing] {
      text += " Only for continuedProcessing jobs."
    } else if !kinds.contains(.continuedProcessing) {
      text += " Not for continuedProcessing jobs."
    }
    if field.effect.needsCommand { text += " Only with command or shell." }
    return text + " Example: \(field.example)"
  }
}
