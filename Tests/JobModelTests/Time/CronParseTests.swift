import JobModel
import Testing

@Suite("Cron expressions as text")
struct CronParseTests {
  /// Spellings of the same expression.
  @Test(arguments: [
    ("0 0 * * MON", "0 0 * * 1"), ("0 0 * * mon-Fri", "0 0 * * 1-5"),
    ("0 0 * * 0", "0 0 * * 7"), ("0 0 * * FRI-SUN", "0 0 * * 0,5,6"),
    ("0 0 * * 5-7", "0 0 * * FRI,SAT,SUN"), ("0 0 1 jan,JUL *", "0 0 1 1,7 *"),
    ("0-30/15 * * * *", "0,15,30 * * * *"),
    ("1-5,3-7 2 * * *", "1-7 2 * * *"), ("*/20 * * * *", "0-59/20 * * * *"),
    ("0 0 */10 * *", "0 0 1,11,21,31 * *"), ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"),
    ("@Weekly", "0 0 * * SUN"), ("@monthly", "0 0 1 * *"), ("@YEARLY", "0 0 1 JAN *"),
    ("  0\t3  * * * ", "0 3 * * *"),
  ])
  func `reads every spelling alike`(left: String, right: String) throws {
    let (one, other) = (try CronExpression.parse(left).get(), try CronExpression.parse(right).get())
    var (first, second): (WallInstant?, WallInstant?) = ("2026-01-01T00:00:00Z", nil)
    second = first
    for _ in 0..<20 {
      first = first.flatMap { one.next(after: $0, in: .utc) }
      second = second.flatMap { other.next(after: $0, in: .utc) }
      #expect(first != nil && first == second)
    }
    #expect(one.text == left)
  }

  @Test func `has one normalized text for one spelling`() throws {
    #expect(try CronExpression.parse(" 0  3 * * mon").get().normalizedText == "0 3 * * MON")
    #expect(try CronExpression.parse("@daily").get().normalizedText == "0 0 * * *")
  }

  /// Text, the piece that is wrong with its offset, what is suggested.
  static let mistakes: [(String, String?, Int?, String?)] = [
    ("", nil, nil, nil),
    ("   ", nil, nil, nil),
    ("* * * *", nil, nil, nil),
    ("0 0 3 * * *", nil, nil, "0 3 * * *"),
    ("5 0 3 * * *", nil, nil, nil),
    ("0 0 3 * * * 2026", nil, nil, nil),
    ("@reboot", nil, nil, nil),
    ("@midnight", "@midnight", 0, "@daily"),
    ("@annually", "@annually", 0, "@yearly"),
    ("@montly", "@montly", 0, "@monthly"),
    ("@soon", "@soon", 0, nil),
    ("@daily 3", nil, nil, "@daily"),
    ("60 * * * *", "60", 0, nil),
    ("0 24 * * *", "24", 2, nil),
    ("0 0 0 * *", "0", 4, nil),
    ("0 0 1 13 *", "13", 6, nil),
    ("0 0 * * 8", "8", 8, nil),
    ("99999999999999999999 * * * *", "99999999999999999999", 0, nil),
    ("0 0 * * Monday", "Monday", 8, "0 0 * * MON"),
    ("0 0 1 june *", "june", 6, "0 0 1 JUN *"),
    ("0 0 * * XYZ", "XYZ", 8, nil),
    ("MON * * * *", "MON", 0, nil),
    ("1,70 * * * *", "70", 2, nil),
    ("0 22-2 * * *", "22-2", 2, "0 22-23,0-2 * * *"),
    ("0 0 * * 5-0", "5-0", 8, "0 0 * * 5-7"),
    ("0 0 * * SAT-MON", "SAT-MON", 8, "0 0 * * 6,0-1"),
    ("1-2-3 * * * *", "1-2-3", 0, nil),
    ("-5 * * * *", "", 0, nil),
    ("*/0 * * * *", "0", 2, nil),
    ("*/ * * * *", "", 2, nil),
    ("*/x * * * *", "x", 2, nil),
    ("*/+5 * * * *", "+5", 2, nil),
    ("*/5/5 * * * *", "*/5/5", 0, nil),
    ("*/60 * * * *", "60", 2, "0 * * * *"),
    ("10-20/30 * * * *", "30", 6, "10 * * * *"),
    ("5/15 * * * *", "5/15", 0, "5-59/15 * * * *"),
    ("*,5 * * * *", "*", 0, "* * * * *"),
    ("1,,2 * * * *", "", 2, nil),
    ("0 0 ? * MON", "?", 4, "0 0 * * MON"),
    ("0 0 L * *", "L", 4, nil),
    ("0 0 15W * *", "15W", 4, nil),
    ("0 0 LW * *", "LW", 4, nil),
    ("0 0 * * MON#2", "MON#2", 8, nil),
    ("0 0 * * 5L", "5L", 8, nil),
    ("0 0 */2 * MON", "*/2", 4, nil),
    ("0 0 1 * */2", "*/2", 8, nil),
    ("0 0 */2 * */2", "*/2", 4, nil),
    ("é * * * *", "é", 0, nil),
  ]

  @Test(arguments: mistakes)
  func `refuses what is no expression, with place and fix`(
    text: String, piece: String?, offset: Int?, suggestion: String?
  ) throws {
    guard case .failure(let mistake) = CronExpression.parse(text) else {
      Issue.record("'\(text)' was read")
      return
    }
    #expect(mistake.offset == offset)
    #expect(mistake.length == piece?.utf8.count)
    #expect(mistake.suggestion == suggestion)
    #expect(!mistake.sentence.isEmpty)
    if let suggestion {
      #expect((try? CronExpression.parse(suggestion).get()) != nil, "\(suggestion)")
    }
  }

  @Test func `@reboot is refused with what to write`() {
    #expect(
      CronExpression.Mistake.reboot.sentence.contains("bgrun run --now ID"))
  }

  @Test(arguments: ["0 0 30 2 *", "0 0 31 2,4,6,9,11 *", "0 0 30,31 FEB *"])
  func `knows dates that never come`(text: String) throws {
    let expression = try CronExpression.parse(text).get()
    #expect(expression.neverFires)
    #expect(expression.next(after: "2026-01-01T00:00:00Z", in: .utc) == nil)
    #expect(expression.last(atOrBefore: "2026-01-01T00:00:00Z", in: .utc) == nil)
  }

  @Test(arguments: ["0 0 29 2 *", "0 0 30 2 MON", "0 0 31 1,2 *", "* * * * *"])
  func `knows dates that come`(text: String) throws {
    #expect(!(try CronExpression.parse(text).get().neverFires))
  }

  @Test(arguments: [
    ("0 0 1 * MON", true), ("0 0 1-31 * 0-6", true), ("0 0 * * MON", false),
    ("0 0 1 * *", false), ("0 0 */2 * *", false),
  ])
  func `PL8: knows when either day matches`(text: String, isEither: Bool) throws {
    #expect(try CronExpression.parse(text).get().matchesEitherDay == isEither)
  }

  @Test func `no text makes it trap, and every place lies in the text`() {
    let samples = Self.mistakes.map(\.0) + ["0-30/15 3 1,15 JAN-MAR *", "@hourly"]
    checkMutations(of: samples, seed: 4) { text in
      switch CronExpression.parse(text) {
      case .success(let expression):
        let start: WallInstant = "2026-01-01T00:00:00Z"
        let next = expression.next(after: start, in: .utc)
        #expect((next == nil) == expression.neverFires, "\(text)")
        #expect(next.map { $0 > start } ?? true)
      case .failure(let mistake): checkPlace(of: mistake, in: text)
      }
    }
  }
}
