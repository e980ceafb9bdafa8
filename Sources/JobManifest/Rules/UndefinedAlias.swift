import JobModel
import YAMLSource

/// An alias whose anchor doesn't stand before it.
enum UndefinedAlias {
  static let rule = Rule(
    "undefined-alias", .error, "An alias whose anchor doesn't stand before it in the document.",
    explanation: """
      An alias (`*name`) stands for the value that was marked with the anchor `&name`. The \
      anchor must stand before it, in the same document.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          retry: *patient

      """,
    good: """
      version: 1
      x-retries: &patient {maxAttempts: 5}
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]
          retry: *patient

      """)

  static func finding(_ name: String, known: [String], at range: ByteRange) -> Finding {
    let near = SpellingDistance.nearest(to: name, among: known)
    return Finding(
      rule, at: range, "no anchor '&\(name.shortened)' stands before this alias",
      hint: near.map { "did you mean '*\($0)'?" } ?? "write '&\(name.shortened)' before the value",
      replacement: SpellingDistance.onlyNearest(to: name, among: known).map { "*\($0)" })
  }
}
