import JobModel
import YAMLSource

/// A time zone that this machine doesn't know.
enum UnknownTimeZone {
  static let rule = Rule(
    "unknown-time-zone", .error, "The name of a time zone that this machine doesn't have.")

  static func finding(_ name: String, known: [String], at range: ByteRange) -> Finding {
    let near = SpellingDistance.nearest(to: name, among: known)
    return Finding(
      rule, at: range, "there is no time zone '\(name.shortened)' on this machine",
      hint: near.map { "did you mean '\($0)'?" } ?? "use a name such as Europe/Madrid or UTC",
      replacement: near)
  }
}
