package import JobModel

/// The machine that plans jobs: a value that learns by events and answers with actions.
///
/// It has no clock, lock, task, file or random source. It plans over a cache of the store and
/// proposes; the store decides, and only verdicts change what the engine believes: only an applied
/// claim launches (ST1).
package struct JobEngine: Sendable {
  private let configuration: EngineConfiguration
  private var state: State

  private enum State: Sendable {
    case unjoined(JobSet)
    case joined
    case finished
  }

  /// Everything that is known once the store has been joined; beside the state, so that events
  /// change it in place.
  private var session: Session?

  /// An engine that waits for `Event.joined`.
  package init(jobSet: JobSet, configuration: EngineConfiguration) {
    self.configuration = configuration
    state = .unjoined(jobSet)
  }

  /// Takes in one event and says what the shell has to do about it.
  ///
  /// Events before `joined`, except a stop or a reload, and events after `finish` change nothing.
  ///
  /// - Parameter now: both clocks at the event; the monotonic one never goes back.
  package mutating func handle(_ event: Event, at now: Now) -> [Action] {
    handle([event], at: now)
  }

  /// Takes in events that came together, in their order, and plans once.
  package mutating func handle(_ events: [Event], at now: Now) -> [Action] {
    switch state {
    case .unjoined(let jobSet):
      guard let first = events.first else { return [] }
      let actions = handleUnjoined(first, jobSet, at: now)
      return events.count == 1 ? actions : actions + handle(Array(events.dropFirst()), at: now)
    case .joined:
      let actions = session?.handle(events, at: now) ?? []
      if session?.phase.isFinished ?? true {
        state = .finished
        session = nil
      }
      return actions
    case .finished: return []
    }
  }

  private mutating func handleUnjoined(_ event: Event, _ jobSet: JobSet, at now: Now) -> [Action] {
    switch event {
    case .joined(let joining):
      session = Session(jobSet: jobSet, configuration: configuration, joining: joining, at: now)
      state = .joined
      return handle(.woke, at: now)
    case .reloaded(let newer):
      state = .unjoined(newer)
      return []
    case .stop:
      state = .finished
      return [.finish(Summary())]
    case .woke, .committed, .changed, .device, .host, .adopted, .attended, .memoryPressure,
      .clockStepped, .clockSynchronised:
      return []
    }
  }
}
