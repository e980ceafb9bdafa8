import BGRun
import JobModel
import Testing

/// The rules of background tasks, on the value that decides them; time is a parameter.
@Suite("Background tasks")
struct BackgroundLedgerTests {
  private var ledger = BackgroundLedger()
  private let site = CallSite(file: "App/Sync.swift", line: 12)
  private let elsewhere = CallSite(file: "App/Sync.swift", line: 40)

  private func at(_ seconds: Double) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
  }

  @discardableResult
  private mutating func begin(
    _ name: String = "upload", hasHandler: Bool = true, at seconds: Double = 0
  ) -> Int? {
    ledger.begin(name, at: site, hasHandler: hasHandler, now: at(seconds)).identifier
  }

  private mutating func enterBackground(for time: Duration = .seconds(30), at seconds: Double) {
    ledger.enterBackground(.idle, for: time, now: at(seconds))
  }

  private func sentence(_ effects: [BackgroundLedger.Effect]) -> String? {
    guard effects.count == 1, case .warn(let sentence) = effects[0] else { return nil }
    return sentence
  }

  @Test mutating func `BG1: each task has its own identifier, and the first one holds the program`()
  {
    let first = ledger.begin("a", at: site, hasHandler: true, now: at(0))
    let second = ledger.begin("b", at: site, hasHandler: false, now: at(0))
    #expect(first.identifier != second.identifier)
    #expect(first.effects == [.hold])
    #expect(second.effects == [])
    #expect(ledger.isHolding)
  }

  @Test mutating func `BG11: the end of the last task releases the program, and of no other`()
    throws
  {
    let first = try #require(begin())
    let second = try #require(begin())
    #expect(ledger.end(second, at: site) == [])
    #expect(ledger.end(first, at: site) == [.release])
    #expect(!ledger.isHolding)
  }

  @Test mutating func `BG3: the pool ticks only in the background`() {
    begin()
    #expect(ledger.nextDeadline == nil)
    #expect(ledger.pass(now: at(1_000_000)) == [])
    enterBackground(at: 100)
    #expect(ledger.nextDeadline == at(129))
    ledger.leaveBackground(.idle)
    #expect(ledger.nextDeadline == nil)
    #expect(ledger.pass(now: at(1_000)) == [])
  }

  @Test mutating func `BG3: tasks share one pool, whenever they are begun`() {
    enterBackground(at: 0)
    begin(at: 5)
    #expect(ledger.nextDeadline == at(29))
    begin(at: 20)
    #expect(ledger.nextDeadline == at(29))
  }

  @Test mutating func `BG3: another cause to be in the background doesn't fill the pool again`() {
    begin()
    enterBackground(at: 0)
    ledger.enterBackground(.sentAway, for: .seconds(30), now: at(10))
    #expect(ledger.timeRemaining(at: at(10)) == .seconds(20))
    ledger.leaveBackground(.idle)
    #expect(ledger.timeRemaining(at: at(15)) == .seconds(15))
    ledger.leaveBackground(.sentAway)
    #expect(ledger.timeRemaining(at: at(15)) == nil)
  }

  @Test mutating func `BG3: after the foreground, the next stay has the whole pool`() {
    begin()
    enterBackground(at: 0)
    ledger.leaveBackground(.idle)
    enterBackground(at: 50)
    #expect(ledger.timeRemaining(at: at(50)) == .seconds(30))
  }

  @Test mutating func `BG4: what remains falls in real time, to zero and not below`() {
    #expect(ledger.timeRemaining(at: at(0)) == nil)
    enterBackground(at: 0)
    #expect(ledger.timeRemaining(at: at(12.5)) == .seconds(17.5))
    #expect(ledger.timeRemaining(at: at(31)) == .zero)
  }

  @Test mutating func `BG5: a second before zero every handler runs, once, in the order of begin`()
    throws
  {
    let first = try #require(begin("a"))
    begin("b", hasHandler: false)
    let third = try #require(begin("c"))
    enterBackground(at: 0)
    #expect(ledger.pass(now: at(28.9)) == [])
    #expect(ledger.pass(now: at(29)) == [.expire([first, third])])
    #expect(ledger.pass(now: at(29.5)) == [])
    #expect(ledger.nextDeadline == at(30))
  }

  @Test mutating func `BG5: a program with a task still begun is given up, and each is named`()
    throws
  {
    let first = try #require(begin("a"))
    let second = try #require(begin("b", hasHandler: false))
    let third = try #require(begin("c"))
    enterBackground(at: 0)
    _ = ledger.pass(now: at(29))
    ledger.handlerStarts(first)
    _ = ledger.end(first, at: elsewhere)
    ledger.handlerReturned(first)
    let effects = ledger.pass(now: at(30))
    let leak = BackgroundLeak(
      tasks: [
        .init(name: "b", site: site, handler: .none),
        .init(name: "c", site: site, handler: .waiting),
      ], time: .seconds(30))
    #expect(effects == [.giveUp([second, third], leak)])
    #expect(
      leak.report == """
        2 background tasks were still begun when the background time of 30s had run out; each needs \
        endBackgroundTask:
          'b' was begun at App/Sync.swift:12; it has no expiration handler
          'c' was begun at App/Sync.swift:12; the main thread was too busy to run its expiration \
        handler

        """)
    #expect(
      leak.summary
        == "2 background tasks were still begun after 30s in the background: "
        + "'b' (App/Sync.swift:12), 'c' (App/Sync.swift:12)")
    #expect(ledger.pass(now: at(31)) == [])
  }

  @Test mutating func `BG5: handlers that end every task leave nothing to give up`() throws {
    let task = try #require(begin())
    enterBackground(at: 0)
    #expect(ledger.pass(now: at(29)) == [.expire([task])])
    #expect(ledger.end(task, at: site) == [.release])
    #expect(ledger.pass(now: at(60)) == [])
    #expect(ledger.nextDeadline == nil)
  }

  @Test(arguments: [
    (Duration.zero, 1.0), (.milliseconds(500), 1), (.seconds(1), 1), (.seconds(2), 2),
  ])
  mutating func `BG5: however small the pool, handlers have a second together`(
    pool: Duration, end: Double
  ) throws {
    let task = try #require(begin())
    enterBackground(for: pool, at: 0)
    #expect(ledger.nextDeadline == at(end - 1))
    #expect(ledger.pass(now: at(end - 1)) == [.expire([task])])
    #expect(ledger.pass(now: at(end - 0.001)) == [])
    #expect(ledger.pass(now: at(end)).count == 1)
  }

  @Test mutating func `BG5: handlers that were called late still have their second`() throws {
    let task = try #require(begin())
    enterBackground(at: 0)
    #expect(ledger.pass(now: at(40)) == [.expire([task])])
    #expect(ledger.nextDeadline == at(41))
  }

  @Test mutating func `the foreground in the last second lets the program live`() throws {
    begin()
    enterBackground(at: 0)
    _ = ledger.pass(now: at(29))
    ledger.leaveBackground(.idle)
    #expect(ledger.pass(now: at(30)) == [])
    #expect(ledger.isHolding)
  }

  @Test mutating func `BG6: a second end is told with both call sites, and changes nothing`() throws
  {
    let task = try #require(begin())
    let other = try #require(begin("other"))
    _ = ledger.end(task, at: site)
    #expect(
      sentence(ledger.end(task, at: elsewhere))
        == "App/Sync.swift:40: the background task 'upload', begun at App/Sync.swift:12, was "
        + "already ended at App/Sync.swift:12; each begin needs one end")
    #expect(ledger.end(other, at: site) == [.release])
  }

  @Test(arguments: [
    (7, "App/Sync.swift:40: there is no background task 7 to end"),
    (-1, "App/Sync.swift:40: there is no background task -1 to end"),
    (
      0,
      "App/Sync.swift:40: endBackgroundTask was given .invalid: no task was begun, or it was refused"
    ),
  ])
  mutating func `BG6: an unknown identifier is told`(identifier: Int, sentence: String) {
    begin()
    #expect(self.sentence(ledger.end(identifier, at: elsewhere)) == sentence)
    #expect(ledger.isHolding)
  }

  @Test mutating func `BG6: a task begun after expiry is refused, until the foreground`() throws {
    enterBackground(at: 0)
    #expect(begin(at: 28.9) != nil)
    let refused = ledger.begin("late", at: site, hasHandler: true, now: at(29))
    #expect(refused.identifier == nil)
    #expect(
      sentence(refused.effects)
        == "App/Sync.swift:12: the background task 'late' is refused: the background time of 30s "
        + "has run out")
    ledger.leaveBackground(.idle)
    #expect(begin(at: 40) != nil)
  }

  @Test mutating func `BG8: more than 1000 open tasks are refused and named, once`() throws {
    for _ in 1...999 { begin() }
    let last = try #require(
      ledger.begin("x", at: elsewhere, hasHandler: false, now: at(0)).identifier)
    let refused = ledger.begin("more", at: elsewhere, hasHandler: true, now: at(0))
    #expect(refused.identifier == nil)
    #expect(
      sentence(refused.effects)
        == "App/Sync.swift:40: the background task 'more' is refused: 1000 are begun and none of "
        + "them has ended, which is a leak; 999 of them were begun at App/Sync.swift:12")
    #expect(ledger.begin("more", at: site, hasHandler: true, now: at(0)).effects == [])
    _ = ledger.end(last, at: site)
    #expect(begin() != nil)
  }

  @Test mutating func `EM1: a program that nobody ends abandons what was given up`() throws {
    let task = try #require(begin())
    enterBackground(at: 0)
    _ = ledger.pass(now: at(29))
    _ = ledger.pass(now: at(30))
    #expect(ledger.abandon([task]) == [.release])
    #expect(
      sentence(ledger.end(task, at: elsewhere))
        == "App/Sync.swift:40: the background task 'upload', begun at App/Sync.swift:12, was given "
        + "up when the background time ran out")
  }
}
