import JobModel
import YAMLSource

/// Parameters that the handler of this program doesn't take.
enum UnfitParameters: JobRule {
  static let rule = Rule(
    "unfit-parameters", .error,
    "The parameters of a job don't fit what its handler in this program declares.",
    explanation: """
      A handler written in Swift declares the type of its parameters, and `with` doesn't have that \
      shape: a member is missing, misspelt or of another type. Only a program that registers its \
      handlers can know this; the stock `bgrun` can't.
      """,
    bad: nil,
    good: """
      version: 1
      jobs:
        - identifier: com.example.cleanup
          kind: processing
          with: {keep: 7}

      """)

  static func check(_ job: CheckedJob, report: (Finding) -> Void) {
    guard job.effective(.command) == nil, job.effective(.shell) == nil, !job.hasUnknownAction,
      let identifier = job.own[.identifier],
      let handler = job.text(.handler) ?? job.text(.identifier)
    else { return }
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
