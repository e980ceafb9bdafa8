internal import JobModel

extension Reading {
  /// Takes a new observation; `since` stays while the value does.
  mutating func observe(
    _ value: Value, from source: String, at now: WallInstant, isAssumed: Bool = false,
    isStale: Bool = false
  ) {
    if value != self.value { since = now }
    self.value = value
    self.source = source
    self.isAssumed = isAssumed
    self.isStale = isStale
  }

  /// Takes what the sources found; without a finding the value is assumed (PL1).
  mutating func observe(_ finding: Finding<Value>?, or assumed: Value, at now: WallInstant) {
    let finding = finding ?? Finding(value: assumed, source: "assumed", isAssumed: true)
    observe(
      finding.value, from: finding.source, at: now, isAssumed: finding.isAssumed,
      isStale: finding.isStale)
  }
}
