import JobModel
import Testing

@Suite("Durations as text")
struct DurationTextTests {
  @Test(arguments: [
    ("500ms", Duration.milliseconds(500)), ("30s", .seconds(30)), ("15m", .seconds(900)),
    ("6h", .seconds(21_600)), ("7d", .seconds(604_800)), ("1h30m", .seconds(5400)),
    ("0s", .zero), ("90m", .seconds(5400)), ("1d2h3m4s5ms", .milliseconds(93_784_005)),
    ("007s", .seconds(7)), ("106751991d", .seconds(106_751_991 * 86_400)),
  ])
  func `reads a number and a unit, the largest unit first`(text: String, expected: Duration) {
    #expect(DurationText.parse(text) == .success(expected))
  }

  @Test(arguments: [
    (Duration.seconds(5400), "1h30m"), (.seconds(600), "10m"), (.milliseconds(500), "500ms"),
    (.zero, "0s"), (.seconds(86_400 * 7), "7d"), (.milliseconds(90_061_001), "1d1h1m1s1ms"),
    (.microseconds(1500), "1ms"), (.microseconds(3), "0s"), (.seconds(-90), "-1m30s"),
  ])
  func `writes one canonical form`(duration: Duration, expected: String) {
    #expect(DurationText.format(duration) == expected)
  }

  @Test(arguments: [
    (Duration.nanoseconds(27_867_962), 0.027867962), (.nanoseconds(1_613_226), 0.001613226),
    (.nanoseconds(3_002_315_298), 3.002315298), (.nanoseconds(-90_500_000_001), -90.500000001),
    (.milliseconds(500), 0.5), (.zero, 0),
  ])
  func `as a number of seconds it has no digits but its own`(duration: Duration, expected: Double) {
    #expect(duration.inSeconds == expected)
  }

  @Test func `reads back what it writes`() {
    var generator = SeededGenerator(seed: 1)
    for power in 0..<60 {
      let limit = min(Int64(1) << Int64(power), Int64.max / 1000)
      let duration = Duration.milliseconds(Int64.random(in: 0...limit, using: &generator))
      #expect(DurationText.parse(DurationText.format(duration)) == .success(duration))
    }
  }

  /// Text, mistake, what is suggested.
  static let mistakes: [(String, DurationText.Mistake)] = [
    ("", .empty),
    ("  ", .empty),
    ("90", .bareNumber(suggestion: "90s")),
    ("012", .bareNumber(suggestion: "12s")),
    ("0", .bareNumber(suggestion: "0s")),
    ("1:30", .sexagesimal(suggestion: "90s")),
    ("1:30:00", .sexagesimal(suggestion: "1h30m")),
    ("10:00", .sexagesimal(suggestion: "10m")),
    ("1:2:3:4", .unexpected(":", offset: 1)),
    ("-5m", .negative(suggestion: "5m")),
    ("-x", .negative(suggestion: nil)),
    ("1.5h", .fraction(offset: 0, length: 3, suggestion: "1h30m")),
    ("0.0001s", .fraction(offset: 0, length: 6, suggestion: nil)),
    ("5min", .unknownUnit("min", offset: 1, suggestion: "5m")),
    ("2 weeks", .unknownUnit("weeks", offset: 2, suggestion: "14d")),
    ("30S", .unknownUnit("S", offset: 2, suggestion: "30s")),
    ("3y", .unknownUnit("y", offset: 1, suggestion: nil)),
    ("10µs", .unknownUnit("µs", offset: 2, suggestion: nil)),
    ("PT30S", .unknownUnit("PT", offset: 0, suggestion: nil)),
    ("1h30", .missingUnit(offset: 2, length: 2, suggestion: "1h30m")),
    ("h", .missingNumber(unit: "h", offset: 0)),
    ("30m1h", .unitOrder(unit: "h", offset: 4, suggestion: "1h30m")),
    ("1h2h", .repeatedUnit(unit: "h", offset: 3, suggestion: "3h")),
    ("1h 30m", .space(offset: 2, suggestion: "1h30m")),
    ("30 s", .space(offset: 2, suggestion: "30s")),
    ("1_000s", .unexpected("_", offset: 1)),
    ("106751992d", .overflow),
    ("99999999999999999999s", .overflow),
  ]

  @Test(arguments: mistakes)
  func `refuses what is no duration, with the fix`(text: String, mistake: DurationText.Mistake) {
    #expect(DurationText.parse(text) == .failure(mistake))
    #expect(!mistake.sentence.isEmpty)
    if let suggestion = mistake.suggestion {
      #expect((try? DurationText.parse(suggestion).get()) != nil, "\(suggestion)")
    }
  }

  @Test func `no text makes it trap`() {
    checkMutations(of: Self.mistakes.map(\.0) + ["1d2h3m4s5ms"], seed: 2) { text in
      switch DurationText.parse(text) {
      case .success(let duration):
        #expect(DurationText.parse(DurationText.format(duration)) == .success(duration))
      case .failure(let mistake): checkPlace(of: mistake, in: text)
      }
    }
  }
}
