import Testing

@testable import JobModel

/// Every change of a zone's clocks from 1900 to 2100, as Python's zoneinfo sees them.
struct ZoneTableLine: CustomTestStringConvertible {
  struct Change: Equatable {
    var start: Int64
    var offset: Int
    var abbreviation: String
  }

  static let start = -2_208_988_800
  static let end = 4_102_444_800

  let checksum: Substring
  let names: [Substring]
  let changes: [Change]

  init(_ line: Substring) {
    let columns = line.split(separator: "\t")
    checksum = columns[0]
    names = columns[1].split(separator: " ")
    let types = columns[2].split(separator: " ").map { type in
      let parts = type.split(separator: ",")
      return (offset: Int(parts[0]) ?? 0, abbreviation: String(parts[1]))
    }
    var time = Int64(Self.start)
    changes = columns[3].split(separator: " ").map { change in
      let parts = change.split(separator: ":")
      if parts.count == 2 { time += Int64(parts[0], radix: 36) ?? 0 }
      let type = types[Int(parts[parts.count - 1]) ?? 0]
      return Change(start: time, offset: type.offset, abbreviation: type.abbreviation)
    }
  }

  var testDescription: String { names.joined(separator: " ") }

  /// The FNV-1a checksum by which the generator tells files apart.
  static func checksum(_ bytes: [UInt8]) -> String {
    let hash = bytes.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3
    }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Compares a zone with this line, at every change, around it and between.
  func check(_ zone: TimeZoneRules) {
    #expect(Self.changes(of: zone) == changes, "\(testDescription)")
    for (index, change) in changes.enumerated() {
      let end = index + 1 < changes.count ? changes[index + 1].start : Int64(Self.end)
      for seconds in [change.start, change.start + (end - change.start) / 2, end - 1] {
        let instant = WallInstant(seconds: seconds)
        let isSame =
          zone.offset(at: instant) == change.offset
          && zone.abbreviation(at: instant) == change.abbreviation
        #expect(isSame, "\(testDescription) at \(RFC3339.format(instant))")
      }
    }
  }

  /// The zone's own changes in the table's years, period by period.
  private static func changes(of zone: TimeZoneRules) -> [Change] {
    var found: [Change] = []
    var time = start
    while time < end {
      let period = zone.period(at: time)
      let (offset, abbreviation) = (period.type.offset, period.type.abbreviation)
      // Some files hold changes that change nothing to be seen.
      if found.last?.offset != offset || found.last?.abbreviation != abbreviation {
        found.append(Change(start: Int64(time), offset: offset, abbreviation: abbreviation))
      }
      time = period.end
    }
    return found
  }
}

@Suite("Time zones beside Python's zoneinfo")
struct TimeZoneTableTests {
  static let lines = (try? TestFile.table("zones.tsv").map(ZoneTableLine.init)) ?? []
  static let linesByChecksum = Dictionary(
    uniqueKeysWithValues: lines.map { ($0.checksum, $0) })
  private static let database = "/usr/share/zoneinfo"

  @Test func `PL8: every committed zone has the same offsets from 1900 to 2100`() throws {
    #expect(TestZones.bytes.count >= 40)
    for (name, bytes) in TestZones.bytes {
      let line = try #require(Self.linesByChecksum[ZoneTableLine.checksum(bytes)[...]], "\(name)")
      line.check(try TimeZoneRules(name: name, tzif: bytes))
    }
  }

  @Test func `PL8: every zone of this machine has the same offsets from 1900 to 2100`() throws {
    #expect(Self.lines.count > 400)
    var unknown: [Substring] = []
    for name in Self.lines.flatMap(\.names) where !name.hasPrefix("fixture:") {
      guard let bytes = TestFile.bytes("\(Self.database)/\(name)") else { continue }
      guard let line = Self.linesByChecksum[ZoneTableLine.checksum(bytes)[...]] else {
        unknown.append(name)
        continue
      }
      line.check(try TimeZoneRules(name: String(name), tzif: bytes))
    }
    try checkLive(unknown)
  }

  /// Zones that this machine has in another version than the table's: Python, if it is there,
  /// is asked now, about as many as it can tell in a few seconds.
  private func checkLive(_ names: [Substring]) throws {
    guard !names.isEmpty, TestFile.output(of: "command -v python3") != nil else { return }
    let every = max(1, names.count / 20)
    let sample = stride(from: 0, to: names.count, by: every).map { names[$0] }
    let generator = "\(TestFile.tables)/generate_zone_table.py"
    let command = "python3 '\(generator)' --live \(sample.joined(separator: " "))"
    let output = try #require(TestFile.output(of: command), "\(command)")
    let lines = output.split(separator: "\n").map(ZoneTableLine.init)
    #expect(lines.count == sample.count)
    for line in lines {
      let bytes = try #require(TestFile.bytes("\(Self.database)/\(line.names[0])"))
      line.check(try TimeZoneRules(name: String(line.names[0]), tzif: bytes))
    }
  }
}
