import JobModel

/// Programs without processes: their events come at their moments of virtual time.
struct ScriptedHost: Sendable {
  /// What each launch does; asked with the order and how often its identifier was launched before.
  var script: @Sendable (LaunchOrder, Int) -> Behaviour = { _, _ in .succeeds(after: .seconds(1)) }
  private(set) var launched: [LaunchOrder] = []
  private(set) var live: [RunNumber: Behaviour] = [:]
  private var timeline: [Entry] = []
  private var sequence = 0

  private struct Entry: Sendable {
    var due: MonotonicInstant
    var sequence: Int
    var event: HostEvent
  }

  var nextDue: MonotonicInstant? { timeline.map(\.due).min() }

  mutating func launch(_ order: LaunchOrder, at now: MonotonicInstant) {
    let earlier = launched.count { $0.request.identifier == order.request.identifier }
    launched.append(order)
    let behaviour = script(order, earlier)
    if let sentence = behaviour.launchFailure {
      add(.launchFailed(order.run, detail: sentence), at: now)
      return
    }
    live[order.run] = behaviour
    add(.started(order.run), at: now)
    for (after, report) in behaviour.reports {
      add(.progressed(order.run, report), at: now + after)
    }
    if let takes = behaviour.takes { add(.ended(order.run, behaviour.ending), at: now + takes) }
  }

  mutating func warn(_ run: RunNumber, at now: MonotonicInstant) {
    guard let behaviour = live[run] else { return }
    switch behaviour.onWarning {
    case .dies: end(run, Behaviour.killed(by: 15), at: now)
    case .exits(let after, let status):
      end(run, Behaviour(takes: nil, status: status).ending, at: now + after)
    case .completes(let completion):
      end(run, Behaviour(takes: nil, completion: completion).ending, at: now)
    case .ignores: break
    }
  }

  mutating func kill(_ run: RunNumber, at now: MonotonicInstant) {
    guard live[run] != nil else { return }
    end(run, Behaviour.killed(by: 9, wasKilled: true), at: now)
  }

  private mutating func end(_ run: RunNumber, _ ending: RunEnding, at due: MonotonicInstant) {
    timeline.removeAll { $0.event.endedRun == run }
    add(.ended(run, ending), at: due)
  }

  /// The next event that is due by `now`.
  mutating func popDue(by now: MonotonicInstant) -> HostEvent? {
    let due = timeline.filter { $0.due <= now }.min {
      ($0.due, $0.sequence) < ($1.due, $1.sequence)
    }
    guard let due else { return nil }
    timeline.removeAll { $0.sequence == due.sequence }
    if let run = due.event.endedRun { live[run] = nil }
    return due.event
  }

  /// Everything dies with the machine or its runner.
  mutating func vanish() {
    live = [:]
    timeline = []
  }

  private mutating func add(_ event: HostEvent, at due: MonotonicInstant) {
    sequence += 1
    timeline.append(Entry(due: due, sequence: sequence, event: event))
  }
}

extension HostEvent {
  /// The run that this event ends.
  var endedRun: RunNumber? {
    switch self {
    case .ended(let run, _): run
    case .started, .progressed, .exceededMemory, .launchFailed, .holding, .leaked: nil
    }
  }
}
