import JobModel

/// When the machine is short of something, continued tasks give way, those with the least recent
/// progress first (CP4).
extension Session {
  /// After one was asked to go, the others are left alone for as long as its memory may take to come
  /// back; pressure that lasts reports itself again.
  private static let pauseBetweenPreemptions = Duration.seconds(10)

  mutating func relieveMemory(at now: Now) {
    guard phase.isWorking, now.monotonic >= nextPreemption ?? now.monotonic, !isPreempting,
      let first = preemptable.first
    else { return }
    nextPreemption = now.monotonic + Self.pauseBetweenPreemptions
    expire(
      first, Ending.Expiration(reason: .preempted, detail: "the machine is short of memory"),
      at: now)
  }

  /// More run than the manifest allows now.
  mutating func preemptExcess(at now: Now) {
    guard occupied[.continued] > 0 else { return }
    let limit = jobSet.concurrency.continuedProcessing
    let working = preemptable
    for number in working.prefix(max(0, working.count - limit)) {
      expire(
        number,
        Ending.Expiration(
          reason: .preempted, detail: "concurrency.continuedProcessing is \(limit) now"),
        at: now)
    }
  }

  /// Memory is watched only while there is something that could give way.
  mutating func watchMemoryPressure() {
    let isNeeded = occupied[.continued] > 0
    guard isNeeded != watchesMemory else { return }
    watchesMemory = isNeeded
    actions.append(.watchMemoryPressure(isNeeded))
  }

  /// Continued runs that go on, by their last progress.
  private var preemptable: [RunNumber] {
    runs.values.filter { $0.pool == .continued && $0.watch != nil }
      .sorted { ($0.lastMove, $0.number) < ($1.lastMove, $1.number) }.map(\.number)
  }

  private var isPreempting: Bool {
    runs.values.contains { run in
      switch run.phase {
      case .expiring(let expiration, _), .killing(let expiration):
        expiration.reason == .preempted
      // A handler that nothing can end doesn't keep the next one from giving way (EM1).
      case .launching, .running, .overrunning, .ending: false
      }
    }
  }
}
