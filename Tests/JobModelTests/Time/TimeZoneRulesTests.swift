import JobModel
import Testing

/// A TZif file, version 2, with a footer and as many transitions as are given.
func zoneFile(
  footer: String, version: Character = "2", transitions: [Int64] = [], offset: Int32 = 0,
  leapCount: UInt8 = 0
) -> [UInt8] {
  func header(_ count: Int, _ version: UInt8) -> [UInt8] {
    Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15 + 8)
      + [0, 0, 0, leapCount] + [0, 0, 0, UInt8(count)] + [0, 0, 0, 1] + [0, 0, 0, 4]
  }
  func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: value >> $0)
    }
  }
  let types = bigEndian(offset) + [0, 0] + Array("LMT\0".utf8)
  let version = version.asciiValue ?? 0
  return header(0, version) + types + [UInt8](repeating: 0, count: Int(leapCount) * 8)
    + header(transitions.count, version) + transitions.flatMap(bigEndian)
    + [UInt8](repeating: 0, count: transitions.count) + types
    + [UInt8](repeating: 0, count: Int(leapCount) * 12) + Array("\n\(footer)\n".utf8)
}

@Suite("Time zones by TZif")
struct TimeZoneRulesTests {
  @Test func `PL8: a local time is unique, in a gap or repeated`() throws {
    let zone = try TestZones.zone("America/New_York")
    func resolve(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) throws
      -> LocalTime
    {
      let date = try #require(CivilDate(year: year, month: month, day: day))
      return zone.resolve(try #require(CivilDateTime(date: date, hour: hour, minute: minute)))
    }
    #expect(try resolve(2024, 3, 10, 1, 59) == .unique("2024-03-10T06:59:00Z"))
    #expect(try resolve(2024, 3, 10, 2, 0) == .gap(firstAfter: "2024-03-10T07:00:00Z"))
    #expect(try resolve(2024, 3, 10, 2, 59) == .gap(firstAfter: "2024-03-10T07:00:00Z"))
    #expect(try resolve(2024, 3, 10, 3, 0) == .unique("2024-03-10T07:00:00Z"))
    #expect(
      try resolve(2024, 11, 3, 1, 30)
        == .repeated(first: "2024-11-03T05:30:00Z", second: "2024-11-03T06:30:00Z"))
    #expect(try resolve(2024, 11, 3, 2, 0) == .unique("2024-11-03T07:00:00Z"))
    // Far in the future the footer decides.
    #expect(try resolve(2090, 3, 12, 2, 30) == .gap(firstAfter: "2090-03-12T07:00:00Z"))
  }

  @Test func `every local time resolves back to its instants`() throws {
    var generator = SeededGenerator(seed: 6)
    for name in TestZones.bytes.keys.sorted() {
      let zone = try TestZones.zone(name)
      for _ in 0..<40 {
        let instant = WallInstant(
          seconds: Int64.random(in: -2_208_988_800...4_102_444_800, using: &generator))
        switch zone.resolve(zone.local(instant)) {
        case .unique(let found): #expect(found == instant, "\(name)")
        case .repeated(let first, let second):
          #expect(first == instant || second == instant, "\(name)")
        case .gap: Issue.record("\(name): \(RFC3339.format(instant)) is in no gap")
        }
      }
    }
  }

  /// Footer, instant, offset and abbreviation.
  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2030-07-01T00:00:00Z", 7200, "CEST"),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2030-01-01T00:00:00Z", 0, "GMT"),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T01:00:00Z", -3600, "-01"),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T00:59:59Z", -7200, "-02"),
    ("IST-2IDT,M3.4.4/26,M10.5.0", "2030-03-29T00:00:00Z", 10_800, "IDT"),
    ("EST5EDT,0/0,J365/25", "2031-01-01T04:59:59Z", -14_400, "EDT"),
    ("EST5EDT,0/0,J365/25", "2031-01-01T05:00:00Z", -14_400, "EDT"),
    ("AAA0BBB,J60/0,J61/0", "2032-03-01T12:00:00Z", 3600, "BBB"),
    ("AAA0BBB,59/0,60/0", "2032-02-29T12:00:00Z", 3600, "BBB"),
    ("<+0545>-5:45", "2030-01-01T00:00:00Z", 20_700, "+0545"),
    ("", "2030-01-01T00:00:00Z", -3600, "LMT"),
  ])
  func `reads POSIX footers with RFC 8536's hours`(
    footer: String, instant: String, offset: Int, abbreviation: String
  ) throws {
    let zone = try TimeZoneRules(
      name: "Test", tzif: zoneFile(footer: footer, version: "3", offset: -3600))
    let instant = try #require(RFC3339.parse(instant))
    #expect(zone.offset(at: instant) == offset)
    #expect(zone.abbreviation(at: instant) == abbreviation)
  }

  @Test func `reads a version 1 file`() throws {
    let second = zoneFile(footer: "", offset: 3600)
    let first = Array("TZif\0".utf8) + second[5..<(44 + 10)]
    let zone = try TimeZoneRules(name: "Test", tzif: first)
    #expect(zone.offset(at: "2030-01-01T00:00:00Z") == 3600)
  }

  @Test(arguments: [
    ([], TimeZoneRules.Damage.truncated), (Array("GIF89a".utf8), .notTZif),
    (zoneFile(footer: "", version: "1"), .version),
    (zoneFile(footer: "", offset: 200_000), .offset),
    (zoneFile(footer: "", transitions: [5, 5]), .transitionOrder),
    (zoneFile(footer: "", transitions: [.min]), .transitionOrder),
    (zoneFile(footer: "", leapCount: 1), .leapSeconds),
    (zoneFile(footer: "EST5EDT"), .footer), (zoneFile(footer: "X"), .footer),
    (zoneFile(footer: "EST5EDT,M13.1.0,M1.1.0"), .footer),
    (zoneFile(footer: "EST5EDT,M3.2.0/168,M11.1.0"), .footer),
    (zoneFile(footer: "<ES T>5"), .footer),
    (zoneFile(footer: "").dropLast(1), .footer), (zoneFile(footer: "").dropLast(20), .truncated),
  ])
  func `says what is wrong with a file`(bytes: [UInt8], damage: TimeZoneRules.Damage) {
    #expect(throws: damage) { try TimeZoneRules(name: "Test", tzif: bytes) }
    #expect(!damage.sentence.isEmpty)
  }

  @Test func `no bytes make it trap, and what it accepts answers everywhere`() throws {
    var generator = SeededGenerator(seed: 7)
    let cron = try CronExpression.parse("30 2 * * *").get()
    var accepted = 0
    for name in TestZones.bytes.keys.sorted() {
      let original = try #require(TestZones.bytes[name])
      for _ in 0..<60 {
        var bytes = original
        for _ in 0...Int.random(in: 0..<4, using: &generator) {
          let index = Int.random(in: 0..<bytes.count, using: &generator)
          bytes[index] = UInt8.random(in: 0...255, using: &generator)
        }
        if Bool.random(using: &generator) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
        }
        guard let zone = try? TimeZoneRules(name: name, tzif: bytes) else { continue }
        accepted += 1
        for microseconds in [Int64.min, 0, 1_800_000_000_000_000, .max] {
          let instant = WallInstant(microseconds: microseconds)
          _ = zone.resolve(zone.local(instant))
          #expect(cron.next(after: instant, in: zone).map { $0 > instant } ?? true)
          #expect(cron.last(atOrBefore: instant, in: zone).map { $0 <= instant } ?? true)
        }
      }
    }
    #expect(accepted > 100)
  }
}
