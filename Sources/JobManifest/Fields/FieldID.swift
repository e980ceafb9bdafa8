/// Every key of the manifest format, groups and their members each by their own name.
package enum FieldID: UInt8, CaseIterable, Sendable {
  // A job.
  case identifier, kind, description, enabled
  case handler, command, shell, with, environment, workingDirectory
  case requiresExternalPower, network, requiresIdle, minimumBattery, minimumFreeSpace, lowPowerMode
  case strategy, earliestBegin
  case schedule, every, cron, timeZone, catchUp, catchUpLimit, randomDelay, startWithin
  case tolerance, timeLimit, expirationGrace, whenLost
  case retry, maxAttempts, backoff, initialDelay, maxDelay, jitter
  case title, subtitle, progress, stallAfter, requiredResources
  case qualityOfService, afterSuccessOf, maxRunning, memoryLimit
  case output, maxSize, keep, keepHistory
  case freeSpacePath, freeSpaceSize

  // The top level.
  case version, app, defaults, concurrency, pendingLimits, lifecycle, jobs
  case total, continuedTotal
  case pendingAppRefresh, pendingProcessing, pendingContinued
  case backgroundTime, suspendAfter, conditionGrace
}

/// A set of keys.
struct FieldSet: SetAlgebra, Sendable {
  private var bits: UInt128 = 0

  init() {}

  init(_ fields: some Sequence<FieldID>) {
    for field in fields { insert(field) }
  }

  private static func bit(_ field: FieldID) -> UInt128 { 1 &<< UInt128(field.rawValue) }

  var count: Int { bits.nonzeroBitCount }

  func isDisjoint(with other: Self) -> Bool { bits & other.bits == 0 }

  func contains(_ member: FieldID) -> Bool { bits & Self.bit(member) != 0 }

  @discardableResult
  mutating func insert(_ newMember: FieldID) -> (inserted: Bool, memberAfterInsert: FieldID) {
    let isNew = !contains(newMember)
    bits |= Self.bit(newMember)
    return (isNew, newMember)
  }

  @discardableResult
  mutating func remove(_ member: FieldID) -> FieldID? {
    guard contains(member) else { return nil }
    bits &= ~Self.bit(member)
    return member
  }

  @discardableResult
  mutating func update(with newMember: FieldID) -> FieldID? {
    insert(newMember).inserted ? nil : newMember
  }

  func union(_ other: Self) -> Self { Self(bits: bits | other.bits) }
  func intersection(_ other: Self) -> Self { Self(bits: bits & other.bits) }
  func symmetricDifference(_ other: Self) -> Self { Self(bits: bits ^ other.bits) }
  mutating func formUnion(_ other: Self) { bits |= other.bits }
  mutating func formIntersection(_ other: Self) { bits &= other.bits }
  mutating func formSymmetricDifference(_ other: Self) { bits ^= other.bits }

  private init(bits: UInt128) { self.bits = bits }
}
