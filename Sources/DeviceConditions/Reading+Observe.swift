internal import JobModel

extension Reading {
  /// Takes a new observation; `since` stays while the value does.
  mutating func observe(
    _ value: Value, from source: String, at now: WallInstant, isAssumed: Bool = false
  ) {
    if value != self.value { since = now }
    self.value = value
    self.source = source
    self.isAssumed = isAssumed
  }
}
