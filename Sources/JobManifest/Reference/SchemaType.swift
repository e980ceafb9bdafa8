import JobModel

/// How each type of value reads in JSON Schema.
enum SchemaType {
  static func members(of type: ValueType, in scope: FieldScope) -> JSONValue {
    switch type {
    case .version: object(("const", .integer(1)), ("type", .text("integer")))
    case .boolean: object(("type", .text("boolean")))
    case .integer(let range):
      object(
        ("type", .text("integer")), ("minimum", .integer(range.lowerBound)),
        ("maximum", range.upperBound == .max ? nil : .integer(range.upperBound)))
    case .percent:
      object(("type", .text("integer")), ("minimum", .integer(0)), ("maximum", .integer(100)))
    case .text: reference("text")
    case .name, .path, .timeZone, .cron:
      object(
        ("type", types("string", "number", "boolean")), ("minLength", .integer(1)))
    case .word(let words): object(("enum", .array(words.map { .text($0.text) })))
    case .duration(_, _, let word?): either([reference("duration"), constant(word)])
    case .duration(_, _, nil): reference("duration")
    case .idleness: either([object(("type", .text("boolean"))), reference("duration")])
    case .size: reference("size")
    case .freeSpace:
      either([reference("size"), .object(ManifestSchema.members(of: .freeSpace))])
    case .jobIdentifier: reference("identifier")
    case .appIdentifier:
      object(("allOf", .array([reference("identifier"), object(("pattern", .text("[^*]$")))])))
    case .arguments:
      object(
        ("type", .text("array")), ("minItems", .integer(1)), ("items", reference("text")))
    case .identifiers: object(("type", .text("array")), ("items", reference("identifier")))
    case .words(let words):
      object(
        ("type", .text("array")),
        ("items", object(("enum", .array(words.map { .text($0.text) })))))
    case .environment:
      object(
        ("type", .text("object")),
        ("properties", object(("inherit", object(("type", .text("boolean")))))),
        ("additionalProperties", reference("text")))
    case .parameters: object(("type", .text("object")))
    case .group(let group): .object(ManifestSchema.members(of: group))
    case .defaults: .object(ManifestSchema.members(of: .defaults))
    case .jobs: object(("type", .text("array")), ("items", reference("job")))
    }
  }

  static func orNull(_ type: JSONValue) -> JSONValue {
    either([type, object(("type", .text("null")))])
  }

  static func types(_ names: String...) -> JSONValue { .array(names.map(JSONValue.text)) }

  /// The units of `DurationText`, the largest first.
  static let durationPattern = object(
    ("type", .text("string")),
    ("pattern", .text("^(?=[0-9])([0-9]+d)?([0-9]+h)?([0-9]+m)?([0-9]+s)?([0-9]+ms)?$")),
    ("description", .text("A number and a unit, the largest first: 500ms, 30s, 15m, 6h, 1h30m.")))

  /// The units of `SizeText`.
  static let sizePattern = object(
    ("type", .text("string")), ("pattern", .text("^[0-9]+(GiB|GB|MiB|MB|KiB|kB|B)$")),
    ("description", .text("A number and a unit: 512MiB, 10GB.")))

  /// The form that `IdentifierText` checks.
  static let identifierPattern = object(
    ("type", .text("string")), ("maxLength", .integer(128)),
    ("pattern", .text(#"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+(\.\*)?$"#)),
    ("description", .text("A reverse-DNS name such as com.example.cleanup.")))

  private static func constant(_ word: String) -> JSONValue { object(("const", .text(word))) }

  private static func reference(_ name: String) -> JSONValue {
    object(("$ref", .text("#/definitions/\(name)")))
  }

  private static func either(_ types: [JSONValue]) -> JSONValue {
    // A choice inside a choice reads better as one.
    let flat = types.flatMap { type -> [JSONValue] in
      if case .object(let members) = type, members.count == 1, members[0].name == "anyOf",
        case .array(let inner) = members[0].value
      {
        return inner
      }
      return [type]
    }
    return object(("anyOf", .array(flat)))
  }

  /// An object without the members that are nil.
  private static func object(_ members: (String, JSONValue?)...) -> JSONValue {
    .object(members.compactMap { name, value in value.map { JSONValue.Member(name, $0) } })
  }
}
