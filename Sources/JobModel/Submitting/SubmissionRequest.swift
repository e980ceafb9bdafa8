/// What somebody asks to have run: only the identifier is needed.
package struct SubmissionRequest: Hashable, Sendable {
  package var identifier: JobIdentifier
  package var key = ""
  /// The class of the request; nil takes the manifest's kind (LC1).
  package var kind: JobKind?
  /// `earliestBeginDate` (SB4).
  package var earliestBegin: WallInstant?
  /// What the request adds to the manifest's conditions (SB12), and its own strategy.
  package var requiresExternalPower = false
  package var network = NetworkRequirement.notRequired
  package var requiredResources: Set<RequiredResource> = []
  package var strategy: SubmissionStrategy?
  /// Parameters as a JSON object; nil leaves the manifest's.
  package var parameters: String?
  package var title: String?
  package var subtitle: String?
  /// Whether a person asked, in the foreground (CP1).
  package var isUserInitiated = false
  /// Whether Apple's pending limits hold where the manifest has none (SB2).
  package var hasApplePendingLimits = false

  package init(identifier: JobIdentifier) {
    self.identifier = identifier
  }

  /// The request as it was asked for, from what the store keeps of it (SB9).
  package init(_ record: RequestRecord) {
    self.init(identifier: record.identifier)
    key = record.key
    kind = record.kind
    earliestBegin = record.floor == nil ? nil : record.notBefore
    requiresExternalPower = record.gateClass.requiresExternalPower
    network = record.gateClass.network
    requiredResources = record.gateClass.requiredResources
    strategy = record.gateClass.strategy
    parameters = record.parameters
    title = record.title
    subtitle = record.subtitle
    isUserInitiated = record.isUserInitiated
  }
}
