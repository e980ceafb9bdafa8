import YAMLSource

/// Jobs that wait for each other, so that none ever runs (PL16).
enum DependencyCycle {
  static let rule = Rule(
    "dependency-cycle", .error, "Jobs that wait for each other, so that none of them ever runs.",
    explanation: """
      Each of these jobs waits, by `afterSuccessOf`, until another of them has succeeded, so \
      none of them could ever start. Decide which one comes first, and remove its wait.
      """,
    bad: """
      version: 1
      jobs:
        - identifier: com.example.fetch
          command: ["true"]
          afterSuccessOf: [com.example.pack]
        - identifier: com.example.pack
          command: ["true"]
          afterSuccessOf: [com.example.fetch]

      """,
    good: """
      version: 1
      jobs:
        - identifier: com.example.fetch
          command: ["true"]
        - identifier: com.example.pack
          command: ["true"]
          afterSuccessOf: [com.example.fetch]

      """)

  /// One wait of a job for another.
  struct Edge {
    let from: String
    let to: String
    let place: SetPlace
  }

  /// One diagnostic for each cycle, at the wait that closes it.
  static func diagnostics(of edges: [Edge]) -> [Diagnostic] {
    let outgoing = Dictionary(grouping: edges, by: \.from)
    var finished: Set<String> = []
    var found: [Diagnostic] = []
    for start in edges.map(\.from) where !finished.contains(start) {
      // A walk in depth with its own stack: chains may be as long as the set.
      var trail: [(job: String, next: Int)] = [(start, 0)]
      var positions = [start: 0]
      while let (job, next) = trail.last {
        let waits = outgoing[job] ?? []
        guard next < waits.count else {
          finished.insert(job)
          positions[job] = nil
          trail.removeLast()
          continue
        }
        trail[trail.count - 1].next += 1
        let edge = waits[next]
        if let position = positions[edge.to] {
          found.append(diagnostic(closing: edge, cycle: trail[position...].map(\.job)))
        } else if !finished.contains(edge.to) {
          positions[edge.to] = trail.count
          trail.append((edge.to, 0))
        }
      }
    }
    return found
  }

  private static func diagnostic(closing edge: Edge, cycle: [String]) -> Diagnostic {
    let message: String
    if cycle.count == 1 {
      message = "the job waits for itself"
    } else {
      let shown = cycle.count > 6 ? cycle.prefix(3) + ["…"] + cycle.suffix(2) : cycle[...]
      message =
        "these jobs wait for each other: " + (shown + [cycle[0]]).joined(separator: " → ")
    }
    return edge.place.diagnostic(
      Finding(rule, at: edge.place.range, message, hint: "none of them would ever run"))
  }
}
