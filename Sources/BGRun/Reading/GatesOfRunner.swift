import JobEngine
import JobModel

/// What stands between one thing that waits and its start in one runner: each machine has conditions
/// of its own, and each runner limits (PL1, PL5).
struct GatesOfRunner<Gate> {
  /// Nil when no runner is alive.
  var runner: Owner?
  var gates: [Gate]
}

extension [GatesOfRunner<GateVerdict>] {
  /// The gates of the runner that is nearest to the start, the first of those that are.
  var nearest: [GateVerdict] {
    self.min { $0.gates.count { !$0.isMet } < $1.gates.count { !$0.isMet } }?.gates ?? []
  }
}

extension [GatesOfRunner<Reason>] {
  /// The gates that are shut for the runner that is nearest to the start.
  var nearest: [Reason] { self.min { $0.gates.count < $1.gates.count }?.gates ?? [] }

  /// Each shut gate once, with the runners that it is shut for where it isn't for all of them.
  var names: [String] {
    var seen: Set<Reason> = []
    return flatMap(\.gates).filter { seen.insert($0).inserted }.map { gate in
      let shut = filter { $0.gates.contains(gate) }
      guard shut.count < count else { return gate.rawValue }
      let processes = shut.compactMap { $0.runner?.processID.description }
      return "\(gate.rawValue) (process \(processes.joined(separator: ", ")))"
    }
  }
}
