internal import JobModel

/// What owners publish of their machine, one reading a row (PL1, PL13).
struct PublishedReadings {
  let connection: SQLiteConnection

  /// Replaces what the owner published before.
  func replace(with device: DeviceState, of owner: Fence) throws(SQLiteError) {
    try connection.statement("DELETE FROM owner_reading WHERE owner = ?")
      .run(.integer(owner.value))
    try insert(device.externalPower, "externalPower", of: owner) { SQLiteValue($0) }
    try insert(device.batteryPercent, "batteryPercent", of: owner) {
      SQLiteValue($0.map { Int64($0) })
    }
    try insert(device.connectivity, "connectivity", of: owner) { .text($0.rawValue) }
    try insert(device.userActivity, "userActivity", of: owner) { SQLiteValue($0) }
    try insert(device.isLowPowerMode, "isLowPowerMode", of: owner) { SQLiteValue($0) }
    try insert(device.hasGPU, "hasGPU", of: owner) { SQLiteValue($0) }
    for (path, reading) in device.freeSpace {
      try insert(reading, "freeSpace", path: path, of: owner) { .integer($0) }
    }
  }

  /// What the owner published last; nil when it hasn't yet.
  func device(of owner: Fence) throws(SQLiteError) -> DeviceState? {
    let rows = try connection.statement(
      """
      SELECT name, path, value, source, since, is_assumed, is_stale FROM owner_reading WHERE owner = ?
      """
    ).all(.integer(owner.value)) { row in
      Row(
        name: row.text(0), path: row.text(1), number: row.optionalInteger(2),
        text: row.optionalText(2), source: row.text(3),
        since: WallInstant(microseconds: row.integer(4)), isAssumed: row.isTrue(5),
        isStale: row.isTrue(6))
    }
    guard let power = rows.first(where: { $0.name == "externalPower" }) else { return nil }
    var device = DeviceState.assumed(at: power.since)
    for row in rows {
      switch row.name {
      case "externalPower": device.externalPower = row.reading(row.number == 1)
      case "batteryPercent": device.batteryPercent = row.reading(row.number.map { Int($0) })
      case "connectivity":
        device.connectivity = row.reading(Connectivity(rawValue: row.text ?? "") ?? .none)
      case "userActivity": device.userActivity = row.reading(row.activity)
      case "isLowPowerMode": device.isLowPowerMode = row.reading(row.number == 1)
      case "hasGPU": device.hasGPU = row.reading(row.number == 1)
      case "freeSpace": device.freeSpace[row.path] = row.reading(row.number ?? 0)
      default: break  // A newer program's reading: not shown by this one.
      }
    }
    return device
  }

  private struct Row {
    var name: String
    var path: String
    var number: Int64?
    var text: String?
    var source: String
    var since: WallInstant
    var isAssumed: Bool
    var isStale: Bool

    /// The instant of the last input, or a word.
    var activity: UserActivity {
      switch text {
      case "active": .active
      case "unattended": .unattended
      default: .idle(since: WallInstant(microseconds: number ?? 0))
      }
    }

    func reading<Value>(_ value: Value) -> Reading<Value> {
      Reading(value, source: source, since: since, isAssumed: isAssumed, isStale: isStale)
    }
  }

  private func insert<Value>(
    _ reading: Reading<Value>, _ name: String, path: String = "", of owner: Fence,
    _ encode: (Value) -> SQLiteValue
  ) throws(SQLiteError) {
    try connection.statement(
      """
      INSERT INTO owner_reading
        (owner, name, path, value, source, since, is_assumed, is_stale)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """
    ).run(
      .integer(owner.value), .text(name), .text(path), encode(reading.value),
      .text(reading.source), .integer(reading.since.microseconds), SQLiteValue(reading.isAssumed),
      SQLiteValue(reading.isStale))
  }
}

extension SQLiteValue {
  fileprivate init(_ activity: UserActivity) {
    switch activity {
    case .unattended: self = .text("unattended")
    case .active: self = .text("active")
    case .idle(let since): self = .integer(since.microseconds)
    }
  }
}
