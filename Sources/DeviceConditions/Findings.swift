internal import JobModel

/// What a source says of one condition.
struct Finding<Value: Hashable & Sendable>: Hashable {
  var value: Value
  /// Where it was read, for people.
  var source: String
  /// Whether the value is a guess that lets work go on, because nothing knows (PL1).
  var isAssumed = false
  /// Whether the source is gone, and this is what it said last.
  var isStale = false
}

/// What all sources together say; nil where none has anything to say.
///
/// Sources add to it in turn, from the weakest to the strongest, so that each may take the place of
/// what the ones before it found, or build on it.
struct Findings: Hashable {
  var externalPower: Finding<Bool>?
  var batteryPercent: Finding<Int?>?
  var connectivity: Finding<Connectivity>?
  var userActivity: Finding<UserActivity>?
  var isLowPowerMode: Finding<Bool>?
  var hasGPU: Finding<Bool>?

  /// Whether some source has found a way out.
  var isConnected: Bool { connectivity.map { $0.value != .none } ?? false }
}

/// How long a source that is gone is still believed: what it said last counts until a weaker source,
/// which is there, sees a change.
struct LastWord<Value: Hashable & Sendable> {
  private enum Belief {
    /// The source is there.
    case present
    /// It is gone; the weaker sources said this then, and still do.
    case believed(over: Finding<Value>?)
    /// It is gone, and a weaker source has spoken since.
    case outdated
  }
  private var belief = Belief.present

  /// Takes the source's word, or leaves what the weaker sources found.
  mutating func apply(_ word: Finding<Value>, to finding: inout Finding<Value>?) {
    switch belief {
    case _ where !word.isStale: belief = .present
    case .present: belief = .believed(over: finding)
    case .believed(let below) where finding != below: belief = .outdated
    case .believed, .outdated: break
    }
    if case .outdated = belief { return }
    finding = word
  }
}

/// One place where conditions are read and followed: files, the kernel's announcements, a service on
/// the bus, or a person.
protocol ConditionSource: AnyObject {
  /// Whether it has had its first answer, or knows that none will come.
  var isSettled: Bool { get }
  /// Adds what it knows now.
  func report(to findings: inout Findings)
}
