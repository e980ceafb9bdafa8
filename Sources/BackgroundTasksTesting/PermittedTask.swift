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
    let identifiers = map(\.identifier)
    // A pattern has to start with the program's own identifier.
    let app = identifiers.first { $0.hasSuffix(".*") }.map { "app: \(quoted($0.dropLast(2)))\n" }
    let jobs = map { task in
      let title = task.kind == .continuedProcessing ? ", title: Test" : ""
      return "  - {identifier: \(quoted(task.identifier)), kind: \(task.kind.rawValue)\(title)}\n"
    }
    return "version: 1\n" + (app ?? "") + "jobs:\n" + jobs.joined()
  }

  private func quoted(_ text: some StringProtocol) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }
}
