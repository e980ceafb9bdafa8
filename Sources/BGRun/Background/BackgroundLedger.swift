package import JobModel

/// The background tasks that a program has begun, and the one pool of time that they share: a value
/// that is told what happens and when, and answers with what has to be done (BG1–BG8).
package struct BackgroundLedger: Sendable {
  package enum Effect: Hashable, Sendable {
    /// The first task was begun: the program must not be suspended or ended.
    case hold
    /// The last one has ended.
    case release
    /// Run the expiration handlers of these tasks, in this order.
    case expire([Int])
    /// The time is over with these tasks still begun; where the program goes on, abandon them.
    case giveUp([Int], BackgroundLeak)
    /// Tell whoever reads the log.
    case warn(String)
  }

  /// Together the expiration handlers have this long (BG5).
  package static let expirationTime = Duration.seconds(1)
  /// More open tasks than this are a leak (BG8).
  package static let limit = 1000
  /// The least number of ended tasks that are remembered, for the sentence about a second end (BG6).
  private static let memory = 1000

  private struct Begun: Sendable {
    let name: String
    let site: CallSite
    var handler: BackgroundLeak.Handler
  }

  private enum End: Sendable {
    case ended(CallSite)
    case givenUp
  }

  /// The time of one stay in the background (BG3).
  private struct Pool: Sendable {
    let time: Duration
    let ends: MonotonicInstant
    /// When the expiration handlers run; from then on nothing new is begun.
    let expires: MonotonicInstant
    /// When a program with tasks is given up; nil until the handlers were told.
    var givesUp: MonotonicInstant?
    var isGivenUp = false

    init(_ time: Duration, at now: MonotonicInstant) {
      self.time = time
      ends = now + time
      expires = now + max(.zero, time - BackgroundLedger.expirationTime)
    }
  }

  private var open: [Int: Begun] = [:]
  private var ended: [Int: (task: Begun, end: End)] = [:]
  private var causes: Set<BackgroundCause> = []
  private var pool: Pool?
  private var last = 0
  private var hasToldOfLimit = false

  package init() {}

  package var isHolding: Bool { !open.isEmpty }
  /// Whether nothing executes in the program.
  package var isIdle: Bool { causes.contains(.idle) }

  /// What is left of the pool; nil in the foreground (BG4).
  package func timeRemaining(at now: MonotonicInstant) -> Duration? {
    pool.map { max(.zero, $0.ends - now) }
  }

  /// When `pass` has something to do; nil while nothing is held in the background.
  package var nextDeadline: MonotonicInstant? {
    guard isHolding, let pool, !pool.isGivenUp else { return nil }
    return pool.givesUp ?? pool.expires
  }

  // MARK: Tasks

  /// - Returns: the task's number; nil when it is refused.
  package mutating func begin(
    _ name: String, at site: CallSite, hasHandler: Bool, now: MonotonicInstant
  ) -> (identifier: Int?, effects: [Effect]) {
    if let pool, pool.expires <= now {
      return (
        nil,
        [
          .warn(
            "\(site): the background task '\(name)' is refused: the background time of "
              + "\(DurationText.format(pool.time)) has run out")
        ]
      )
    }
    guard open.count < Self.limit else { return (nil, limitEffects(name, site)) }
    last += 1
    open[last] = Begun(name: name, site: site, handler: hasHandler ? .waiting : .none)
    return (last, open.count == 1 ? [.hold] : [])
  }

  /// Said once for each time that the limit is reached: whoever leaks a thousand goes on.
  private mutating func limitEffects(_ name: String, _ site: CallSite) -> [Effect] {
    defer { hasToldOfLimit = true }
    guard !hasToldOfLimit else { return [] }
    let counts = Dictionary(grouping: open.values, by: \.site).mapValues(\.count)
    let most = counts.max { ($0.value, $1.key.description) < ($1.value, $0.key.description) }
    let origin = most.map { "; \($0.value) of them were begun at \($0.key)" } ?? ""
    return [
      .warn(
        "\(site): the background task '\(name)' is refused: \(open.count) are begun and none of "
          + "them has ended, which is a leak\(origin)")
    ]
  }

  package mutating func end(_ identifier: Int, at site: CallSite) -> [Effect] {
    guard let task = open.removeValue(forKey: identifier) else {
      return [.warn(sentence(aboutEnding: identifier, at: site))]
    }
    remember(identifier, task, .ended(site))
    hasToldOfLimit = false
    return open.isEmpty ? [.release] : []
  }

  private func sentence(aboutEnding identifier: Int, at site: CallSite) -> String {
    if let (task, end) = ended[identifier] {
      let before = "\(site): the background task '\(task.name)', begun at \(task.site), was "
      return switch end {
      case .ended(let first):
        "\(before)already ended at \(first); each begin needs one end"
      case .givenUp: "\(before)given up when the background time ran out"
      }
    }
    if identifier == UIBackgroundTaskIdentifier.invalid.rawValue {
      return "\(site): endBackgroundTask was given .invalid: no task was begun, or it was refused"
    }
    return identifier > 0 && identifier <= last
      ? "\(site): the background task \(identifier) was ended long ago; each begin needs one end"
      : "\(site): there is no background task \(identifier) to end"
  }

  private mutating func remember(_ identifier: Int, _ task: Begun, _ end: End) {
    ended[identifier] = (task, end)
    guard ended.count > 2 * Self.memory else { return }
    for oldest in ended.keys.sorted().prefix(Self.memory) { ended[oldest] = nil }
  }

  // MARK: Phases

  /// The program goes to the background for one more cause; only the first one starts the pool.
  package mutating func enterBackground(
    _ cause: BackgroundCause, for time: Duration, now: MonotonicInstant
  ) {
    causes.insert(cause)
    if pool == nil { pool = Pool(time, at: now) }
  }

  /// A cause is gone; without any the program is in the foreground, and its next stay in the
  /// background has the whole pool again.
  package mutating func leaveBackground(_ cause: BackgroundCause) {
    causes.remove(cause)
    if causes.isEmpty { pool = nil }
  }

  // MARK: Time

  /// Does what has become due.
  package mutating func pass(now: MonotonicInstant) -> [Effect] {
    guard isHolding, let pool, pool.expires <= now, !pool.isGivenUp else { return [] }
    guard let givesUp = pool.givesUp else { return expire(pool, now: now) }
    return givesUp <= now ? giveUp(pool) : []
  }

  private mutating func expire(_ pool: Pool, now: MonotonicInstant) -> [Effect] {
    // Handlers that come late still have their time.
    self.pool?.givesUp = max(pool.ends, now + Self.expirationTime)
    let due = open.filter { $0.value.handler == .waiting }.keys.sorted()
    return due.isEmpty ? [] : [.expire(due)]
  }

  private mutating func giveUp(_ pool: Pool) -> [Effect] {
    self.pool?.isGivenUp = true
    let leaked = open.sorted { $0.key < $1.key }
    let tasks = leaked.map { _, task in
      BackgroundLeak.Task(name: task.name, site: task.site, handler: task.handler)
    }
    return [.giveUp(leaked.map(\.key), BackgroundLeak(tasks: tasks, time: pool.time))]
  }

  /// Lets go of tasks that were given up, in a program that nobody could end (EM1).
  package mutating func abandon(_ identifiers: [Int]) -> [Effect] {
    let wasHolding = isHolding
    for identifier in identifiers {
      guard let task = open.removeValue(forKey: identifier) else { continue }
      remember(identifier, task, .givenUp)
    }
    return wasHolding && !isHolding ? [.release] : []
  }

  /// The expiration handler of a task runs.
  package mutating func handlerStarts(_ identifier: Int) {
    open[identifier]?.handler = .running
  }

  /// It has returned; it isn't called again, whatever follows.
  package mutating func handlerReturned(_ identifier: Int) {
    open[identifier]?.handler = .returned
  }
}
