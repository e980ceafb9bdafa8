/// A task that a test permits without a manifest.
public struct PermittedTask: Hashable, Sendable {
  /// The kinds of Apple's classes.
  enum Kind: String, Sendable { case appRefresh, processing, continuedProcessing }

  let kind: Kind
  let identifier: String

  /// A task that launches as `BGAppRefreshTask`.
  public static func appRefresh(_ identifier: String) -> PermittedTask {
    PermittedTask(kind: .appRefresh, identifier: identifier)
  }

  /// A task that launches as `BGProcessingTask`.
  public static func processing(_ identifier: String) -> PermittedTask {
    PermittedTask(kind: .processing, identifier: identifier)
  }

  /// A task that launches as `BGContinuedProcessingTask`; the identifier may end in `.*`.
  public static func continuedProcessing(_ identifier: String) -> PermittedTask {
    PermittedTask(kind: .continuedProcessing, identifier: identifier)
  }
}

extension [PermittedTask] {
  /// A manifest that permits them; identifiers are quoted, so that any text is one.
  var manifest: String {
    let app = commonPrefix.map { "app: \(quoted($0))\n" }
    let jobs = map { task in
      let title = task.kind == .continuedProcessing ? ", title: Test" : ""
      return "  - {identifier: \(quoted(task.identifier)), kind: \(task.kind.rawValue)\(title)}\n"
    }
    return "version: 1\n" + (app ?? "") + "jobs:\n" + jobs.joined()
  }

  /// What the patterns have in common, label by label: each has to start with the program's own
  /// identifier (RG7).
  private var commonPrefix: String? {
    let prefixes = map(\.identifier).filter { $0.hasSuffix(".*") }.map {
      $0.split(separator: ".", omittingEmptySubsequences: false).dropLast()
    }
    guard let first = prefixes.first else { return nil }
    let common = prefixes.dropFirst().reduce(first) { common, labels in
      common.prefix(zip(common, labels).prefix { $0 == $1 }.count)
    }
    return common.joined(separator: ".")
  }

  private func quoted(_ text: some StringProtocol) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }
}
