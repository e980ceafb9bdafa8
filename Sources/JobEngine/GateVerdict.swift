package import JobModel

/// One gate between a request and its start, open or not (PL13).
package struct GateVerdict: Hashable, Sendable {
  /// The gate, by the name of its reason.
  package var gate: Reason
  package var isMet: Bool
  /// Since when it is so; nil where nobody recorded it.
  package var since: WallInstant?
  /// What was found, for people.
  package var value: String
  /// What would open it, for people; empty when it is met.
  package var opens: String
  /// When it opens by itself, where that is known.
  package var opensAt: WallInstant?

  package init(
    gate: Reason, isMet: Bool, since: WallInstant? = nil, value: String, opens: String = "",
    opensAt: WallInstant? = nil
  ) {
    self.gate = gate
    self.isMet = isMet
    self.since = since
    self.value = value
    self.opens = opens
    self.opensAt = opensAt
  }
}
