import BGRun
import JobModel
import Testing

@Suite("Text for people")
struct TextTests {
  @Test(
    arguments: [
      (nil, [:], true, true), (nil, [:], false, false),
      (nil, ["NO_COLOR": "1"], true, false), (nil, ["NO_COLOR": ""], true, true),
      (nil, ["FORCE_COLOR": "1"], false, true), (nil, ["FORCE_COLOR": ""], false, false),
      (nil, ["NO_COLOR": "1", "FORCE_COLOR": "1"], true, false),
      (nil, ["TERM": "dumb"], true, false), ("auto", [:], true, true),
      ("always", ["NO_COLOR": "1"], false, true), ("never", ["FORCE_COLOR": "1"], true, false),
    ] as [(String?, [String: String], Bool, Bool)])
  func `colours by --color, then NO_COLOR, then FORCE_COLOR, then the terminal`(
    choice: String?, environment: [String: String], isTerminal: Bool, isColored: Bool
  ) {
    let style = TextStyle(choice: choice, environment: environment, isTerminal: isTerminal)
    #expect(style.isColored == isColored)
    #expect(style.apply(.red, to: "x") == (isColored ? "\u{1B}[31mx\u{1B}[0m" : "x"))
  }

  @Test func `aligns columns, leaves empty ones out and ends no line in spaces`() {
    var table = TextTable([("A", .left), ("NONE", .left), ("N", .right), ("LAST", .left)])
    table.add([.init("long name"), .init(""), .init("1"), .init("")])
    table.add([.init("b"), .init(""), .init("100"), .init("end")])
    #expect(
      table.lines(TextStyle(isColored: false)) == [
        "A            N  LAST",
        "long name    1",
        "b          100  end",
      ])
  }

  @Test func `colours don't move the columns`() {
    var table = TextTable([("A", .left), ("B", .left)])
    table.add([.init("x", .green), .init("y")])
    #expect(
      table.lines(TextStyle(isColored: true)).last == "\u{1B}[32mx\u{1B}[0m  y")
  }

  @Test(arguments: [
    (0, "now"), (4, "in 4 s"), (59, "in 59 s"), (60, "in 1 min"), (3599, "in 59 min"),
    (3600, "in 1 h"), (172_799, "in 47 h"), (172_800, "in 2 d"), (-4, "4 s ago"),
    (-7200, "2 h ago"),
  ])
  func `tells distances from now in one unit`(seconds: Int64, text: String) {
    let now = Bench.start
    #expect(
      InstantText(zone: .utc, now: now).relative(now + .seconds(seconds)) == text)
  }

  @Test func `writes local time with its offset`() throws {
    #expect(
      InstantText(zone: .utc, now: Bench.start).local(Bench.start) == "2026-11-18 11:06:40 +00:00")
    let kolkata = try #require(TimeZoneFiles(environment: [:]).rules(named: "Asia/Kolkata"))
    #expect(
      InstantText(zone: kolkata, now: Bench.start).local(Bench.start)
        == "2026-11-18 16:36:40 +05:30")
  }

  @Test(arguments: [
    (Duration.milliseconds(4), "0.00 s"), (.milliseconds(123), "0.12 s"), (.seconds(1), "1.0 s"),
    (.milliseconds(12_340), "12.3 s"), (.seconds(125), "2m5s"), (.seconds(3600), "1h"),
  ])
  func `tells how long something took`(duration: Duration, text: String) {
    #expect(InstantText.took(duration) == text)
  }

  @Test func `breaks lines at spaces and never inside a word`() {
    #expect(LineWrap.lines("one two three", width: 7) == ["one two", "three"])
    #expect(LineWrap.lines("indivisible", width: 4) == ["indivisible"])
    #expect(LineWrap.lines("", width: 4) == [])
  }
}
