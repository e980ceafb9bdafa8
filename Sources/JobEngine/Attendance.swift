package import JobModel

/// Which runs somebody follows from a terminal at this moment.
package struct Attendance: Hashable, Sendable {
  /// They are in the foreground (CP9).
  package var followed: Set<RunNumber>
  /// Those of them whose follower can answer a question (CP3).
  package var interactive: Set<RunNumber>

  package init(followed: Set<RunNumber> = [], interactive: Set<RunNumber> = []) {
    self.followed = followed
    self.interactive = interactive
  }
}

extension Session {
  /// Somebody began or ceased to follow runs, in whatever way.
  mutating func absorb(_ newer: Attendance, at now: Now) {
    let earlier = attendance
    attendance = newer
    for number in runs.keys.sorted() {
      if newer.followed.contains(number) != earlier.followed.contains(number) {
        updatePlace(of: number)
      }
      if !newer.interactive.contains(number) { takeQuestionBack(number, at: now) }
    }
  }

  /// A continued task that nobody watches works behind what people do (CP9).
  mutating func updatePlace(of number: RunNumber) {
    guard let run = runs[number], run.pool == .continued else { return }
    let isForeground =
      attendance.followed.contains(number)
      || configuration.isWatched && run.request.gateClass.isImmediate
    switch run.phase {
    case .running, .expiring, .overrunning, .killing:
      actions.append(.setForeground(number, isForeground))
    // A host that hasn't started it, or has let go of it, has nothing to set.
    case .launching, .ending: break
    }
  }
}
