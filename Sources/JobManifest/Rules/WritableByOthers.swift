import YAMLSource

/// A manifest that others may change, about to be run as root.
enum WritableByOthers {
  static let rule = Rule(
    "writable-by-others", .error, "A manifest that is run as root, and that others may change.",
    isIgnorable: false,
    explanation: """
      Whoever may write a manifest, or the folder that holds it, decides what runs. When `bgrun run` is \
      started by root, that would be anything, as root. So it refuses a manifest that the group or \
      others may write, and one in a folder that they may write. `validate` doesn't report it: the \
      permissions of a checkout say nothing about the machine that runs the jobs.
      """,
    bad: nil,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          command: ["true"]

      """)

  /// - Parameter path: what may be written, the file or its folder.
  static func finding(_ path: String) -> Finding {
    Finding(
      rule, at: ByteRange(0, 0),
      "others may write '\(path)', and root is about to run what it says",
      hint: "chmod go-w \(path)")
  }
}
