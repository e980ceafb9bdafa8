import JobModel

/// One identifier for two jobs of a set.
enum DuplicateIdentifier {
  static let rule = Rule(
    "duplicate-identifier", .error, "Two jobs of a set have the same identifier.")

  static func diagnostic(_ identifier: String, at place: SetPlace, first: SetPlace) -> Diagnostic {
    place.diagnostic(
      Finding(
        rule, at: place.range, "duplicate identifier '\(identifier.shortened)'",
        hint: "give each job its own"), seenAt: first)
  }
}
