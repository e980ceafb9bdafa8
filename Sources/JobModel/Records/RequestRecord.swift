/// Where a request comes from.
package enum RequestOrigin: Hashable, Sendable {
  /// Somebody asked: `submit`, `start`, `run --now`, or a program.
  case submission
  /// The schedule's nominal instant (PL11).
  case instant(WallInstant)
  /// Each predecessor has succeeded; the newest of those successes (PL16).
  case predecessors(WallInstant)

  /// The instant that is unique per identifier in the store (PL11); nil for submissions.
  package var nominalInstant: WallInstant? {
    switch self {
    case .submission: nil
    case .instant(let instant), .predecessors(let instant): instant
    }
  }
}

/// A request as the store keeps it while it is pending or running.
package struct RequestRecord: Hashable, Sendable {
  package var id: RequestID
  package var identifier: JobIdentifier
  package var key: String
  package var kind: JobKind
  package var origin: RequestOrigin
  package var submittedAt: WallInstant
  /// Not eligible before this instant.
  package var notBefore: WallInstant
  /// Why `notBefore` is what it is: earliestBegin, retryDelay or randomDelay; nil without a floor.
  package var floor: Reason?
  package var gateClass: GateClass
  /// The number that its next or current run carries, from 1.
  package var attempt: Int
  /// Runs started for it so far; 0 is an unstarted request (SB1).
  package var starts: Int
  /// Ends in a row that used no attempt (LC9).
  package var returnsInRow: Int
  /// Parameters of the request as a JSON object; nil leaves the manifest's.
  package var parameters: String?
  package var title: String?
  package var subtitle: String?
  /// Whether a person asked for it (CP1).
  package var isUserInitiated: Bool

  package init(
    id: RequestID, identifier: JobIdentifier, key: String, kind: JobKind, origin: RequestOrigin,
    submittedAt: WallInstant, notBefore: WallInstant, floor: Reason? = nil,
    gateClass: GateClass = GateClass(), attempt: Int = 1, starts: Int = 0, returnsInRow: Int = 0,
    parameters: String? = nil, title: String? = nil, subtitle: String? = nil,
    isUserInitiated: Bool = false
  ) {
    self.id = id
    self.identifier = identifier
    self.key = key
    self.kind = kind
    self.origin = origin
    self.submittedAt = submittedAt
    self.notBefore = notBefore
    self.floor = floor
    self.gateClass = gateClass
    self.attempt = attempt
    self.starts = starts
    self.returnsInRow = returnsInRow
    self.parameters = parameters
    self.title = title
    self.subtitle = subtitle
    self.isUserInitiated = isUserInitiated
  }

  /// The instant that the run is for: the schedule's, or the request's own floor.
  package var scheduledAt: WallInstant { origin.nominalInstant ?? notBefore }
}
