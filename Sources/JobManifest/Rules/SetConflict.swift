import YAMLSource

/// Two values, in one set, for a key that holds for the whole set.
enum SetConflict {
  static let rule = Rule(
    "set-conflict", .error, "Two manifests of a set differ in a key that holds for the whole set.")

  static func diagnostic(_ id: FieldID, at place: SetPlace, first: SetPlace) -> Diagnostic {
    place.diagnostic(
      Finding(
        rule, at: place.range,
        "'\(FieldTable.path(of: id))' holds for the whole set, and has another value before",
        hint: "write it once"), seenAt: first)
  }
}
