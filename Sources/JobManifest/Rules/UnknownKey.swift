import JobModel
import YAMLSource

/// A key that the format doesn't have.
enum UnknownKey {
  static let rule = Rule(
    "unknown-key", .error, "A key that the manifest format doesn't have.",
    explanation: """
      The manifest format doesn't have this key, so it would do nothing. Where it is near a \
      known one, or a word for the same thing in another scheduler, the message says what to \
      write. Keys of your own begin with `x-`: they are never interpreted.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          requireExternalPower: true

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          requiresExternalPower: true

      """)

  /// `place` reads as in "in job 'com.example.cleanup'".
  static func finding(_ name: String, at range: ByteRange, in scope: FieldScope, place: String)
    -> Finding
  {
    let message = "unknown key '\(name.shortened)' \(place)"
    let fields = scope.fields
    if let field = fields.first(where: { $0.isBorrowed(name) }) {
      return Finding(rule, at: range, message, hint: "write '\(field.example)'")
    }
    if scope == .job, let field = GroupFields.schedule.first(where: { $0.isBorrowed(name) }) {
      return Finding(rule, at: range, message, hint: "write '\(field.example)'")
    }
    if let near = SpellingDistance.nearest(to: name, among: fields.map(\.name)) {
      return Finding(
        rule, at: range, message, hint: "did you mean '\(near)'?",
        replacement: SpellingDistance.onlyNearest(to: name, among: fields.map(\.name)))
    }
    if let foreign = foreignAdvice[name.folded] {
      return Finding(rule, at: range, message, hint: foreign)
    }
    if scope != .job, let field = JobFields.all.first(where: { $0.isBorrowed(name) }) {
      return Finding(rule, at: range, message, hint: "in a job, write '\(field.example)'")
    }
    return Finding(rule, at: range, message, hint: general(scope, fields))
  }

  /// The key of a job that a name was probably meant to be; nil for a known name too.
  static func meantInJob(_ name: String) -> FieldID? {
    let fields = JobFields.all
    guard !fields.contains(where: { $0.name == name }) else { return nil }
    if let field = fields.first(where: { $0.isBorrowed(name) }) { return field.id }
    let near = SpellingDistance.nearest(to: name, among: fields.map(\.name))
    return near.flatMap { near in fields.first { $0.name == near }?.id }
  }

  private static func general(_ scope: FieldScope, _ fields: [Field]) -> String {
    switch scope {
    case .job, .defaults: "for keys of your own use a name that begins with 'x-'"
    case .topLevel, .schedule, .retry, .progress, .output, .freeSpace, .concurrency,
      .pendingLimits, .lifecycle:
      "the keys here are \(ValueType.list(fields.map(\.name), "and"))"
    }
  }

  /// Keys of other schedulers for which there is nothing to write.
  private static let foreignAdvice: [String: String] = [
    "runson": "remove it: jobs run on the machine on which bgrun runs",
    "user": "remove it: jobs run as the user who runs bgrun",
    "image": "remove it: jobs run on this machine, not in containers",
    "uses": "write 'command: [program, argument]' or 'shell: \"a line\"'",
  ]
}

extension Field {
  /// Whether people call this key so elsewhere.
  func isBorrowed(_ word: String) -> Bool {
    let word = word.folded
    return borrowed.contains { $0.folded == word }
  }
}

extension String {
  /// In lower case and without hyphens and underscores: how borrowed words are compared.
  var folded: String { lowercased().filter { $0 != "-" && $0 != "_" } }

  /// The text on one line and short enough for a message.
  var shortened: String {
    let line = prefix { !$0.isNewline }
    return line.count > 60 || line.count < count ? line.prefix(60) + "…" : self
  }
}
