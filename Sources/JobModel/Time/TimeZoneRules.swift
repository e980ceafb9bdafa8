/// A time zone: when its clocks were, are and will be ahead of UTC by how much.
///
/// Made from a TZif file's bytes (RFC 8536); the caller reads the file. Answers for any instant:
/// before the file's first transition its first type holds, after the last one its footer.
package struct TimeZoneRules: Hashable, Sendable {
  /// The zone's name in the tz database, such as `Europe/Madrid`.
  package let name: String
  private let transitions: [Int]
  private let transitionTypes: [UInt8]
  private let types: [ZoneType]
  private let footer: ZoneFooter?

  /// Coordinated Universal Time.
  package static let utc = TimeZoneRules(
    name: "UTC",
    file: ZoneFile(
      transitions: [], transitionTypes: [],
      types: [ZoneType(offset: 0, abbreviation: "UTC")], footer: nil))

  /// Reads the bytes of a TZif file, versions 1 to 4.
  ///
  /// Any bytes are safe to pass: every count is checked against what is there.
  package init(name: String, tzif: [UInt8]) throws(Damage) {
    self.init(name: name, file: try ZoneFile(tzif))
  }

  private init(name: String, file: ZoneFile) {
    self.name = name
    transitions = file.transitions
    transitionTypes = file.transitionTypes
    types = file.types
    footer = file.footer
  }

  /// How far the zone's clocks are ahead of UTC, in seconds; negative to the west.
  package func offset(at instant: WallInstant) -> Int {
    period(at: instant.flooredSeconds).type.offset
  }

  /// The zone's abbreviation at an instant, such as `CEST` or `+03`.
  package func abbreviation(at instant: WallInstant) -> String {
    period(at: instant.flooredSeconds).type.abbreviation
  }

  /// What the zone's clocks show at an instant.
  package func local(_ instant: WallInstant) -> CivilDateTime {
    let seconds = instant.flooredSeconds
    return CivilDateTime(secondsSinceEpoch: seconds + period(at: seconds).type.offset)
  }

  /// The instants at which the zone's clocks show a time.
  package func resolve(_ local: CivilDateTime) -> LocalTime {
    let clock = local.secondsSinceEpoch
    var found: [Int] = []
    var gapEnd = clock
    var period = period(at: clock - ZoneType.largestOffset)
    while true {
      let instant = clock - period.type.offset
      if instant >= period.start && instant < period.end { found.append(instant) }
      // A period that begins with clocks already past the time ends the gap that holds it.
      if found.isEmpty, instant < period.start {
        gapEnd = period.start
        break
      }
      guard period.end <= clock + ZoneType.largestOffset else { break }
      period = self.period(at: period.end)
    }
    guard let first = found.first else {
      return .gap(firstAfter: WallInstant(nearest: gapEnd))
    }
    guard found.count > 1 else { return .unique(WallInstant(nearest: first)) }
    return .repeated(
      first: WallInstant(nearest: first), second: WallInstant(nearest: found[1]))
  }

  /// The time around an instant, in seconds since the epoch, in which the clocks keep their
  /// offset.
  func period(at seconds: Int) -> ZonePeriod {
    let next = transitions.partitioningIndex { $0 > seconds }
    let start = next == 0 ? ZonePeriod.distantPast : transitions[next - 1]
    guard next < transitions.count else {
      if let footer { return footer.period(at: seconds, notBefore: start) }
      return ZonePeriod(
        start: start, end: ZonePeriod.distantFuture, type: type(beforeTransition: next))
    }
    return ZonePeriod(
      start: start, end: transitions[next], type: type(beforeTransition: next))
  }

  private func type(beforeTransition index: Int) -> ZoneType {
    types[index == 0 ? 0 : Int(transitionTypes[index - 1])]
  }
}

/// What a local time means in a zone.
package enum LocalTime: Hashable, Sendable {
  /// The clocks show it once.
  case unique(WallInstant)
  /// The clocks jump over it; they go on at this instant.
  case gap(firstAfter: WallInstant)
  /// The clocks show it again after being put back.
  case repeated(first: WallInstant, second: WallInstant)
}

/// What holds at one time in a zone.
struct ZoneType: Hashable, Sendable {
  /// RFC 8536 lets no offset reach further from UTC, in either direction.
  static let largestOffset = 93_599

  /// Seconds ahead of UTC.
  var offset: Int
  var abbreviation: String
}

/// A stretch of time with one offset, `start` included, `end` not, in seconds since the epoch.
struct ZonePeriod: Hashable, Sendable {
  // Far beyond every instant, near enough that offsets can be added.
  static let distantPast = -(1 << 61)
  static let distantFuture = 1 << 61

  var start: Int
  var end: Int
  var type: ZoneType
}

extension WallInstant {
  /// Whole seconds since the epoch, rounded down.
  var flooredSeconds: Int {
    Int(microseconds).flooredDivision(by: 1_000_000).quotient
  }

  /// The instant that many seconds after the epoch, held at the bounds of what microseconds in 64
  /// bits can say.
  init(nearest seconds: Int) {
    let (scaled, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000)
    self.init(microseconds: overflow ? (seconds < 0 ? .min : .max) : scaled)
  }
}

extension [Int] {
  /// The index of the first element that satisfies a condition which, once true, stays true.
  fileprivate func partitioningIndex(where isPast: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
