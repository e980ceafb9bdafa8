import JobModel
import YAMLSource

/// Parameters that the handler of this program doesn't take.
enum WrongParameter: JobRule {
  static let rule = Rule(
    "wrong-parameter", .error,
    "A parameter that the job's handler doesn't take.",
    explanation: """
      A handler declares which parameters it takes, by name and type; `with` gives them. Only the \
      program that registers a handler can know them, so another program lets them pass. The example \
      is for a program whose handler `prune` takes a number `keep`.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          kind: processing
          handler: prune
          with: {keep: ten}

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          kind: processing
          handler: prune
          with: {keep: 10}

      """)

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard let identifier = job.own[.identifier], let handler = job.handlerName else { return }
    let with = job.effective(.with)
    let parameters =
      if let with, case .mapping = with.content {
        ParameterText(tree: job.tree).json(of: with.value)
      } else {
        "{}"
      }
    guard let problem = job.environment.parameterProblem(handler, parameters) else { return }
    let value = with.map { place(of: problem.path, in: $0, job.tree) } ?? identifier.written
    report(Finding(rule, at: job.tree.range(of: value), problem.sentence))
  }

  /// The value that a path leads to, as far as it leads.
  private static func place(
    of path: [String], in with: Setting, _ tree: YAMLTree
  ) -> YAMLNode {
    var place = with.written
    for step in path {
      let node = tree.resolved(place)
      let next: YAMLNode? =
        switch tree.kind(of: node) {
        case .mapping: ParameterText(tree: tree).pairs(of: node).first { $0.key == step }?.value
        case .sequence:
          Int(step).flatMap { number in
            tree.children(of: node).enumerated().first { $0.offset == number }?.element
          }
        case .scalar, .alias, .unread: nil
        }
      guard let next else { return place }
      place = next
    }
    return place
  }
}
