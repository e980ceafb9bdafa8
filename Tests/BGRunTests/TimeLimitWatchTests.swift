import JobModel
import Testing

@testable import BGRun

@Suite("A worker's watch over the time limit")
struct TimeLimitWatchTests {
  private let limit = MonotonicInstant(nanoseconds: 1_000_000_000)

  private func before(_ duration: Duration) -> MonotonicInstant {
    limit + (.zero - duration)
  }

  @Test func `LC4: what the warning needs is prepared just before it`() {
    var watch = TimeLimitWatch(deadline: limit)
    #expect(watch.next == before(.milliseconds(5)))
    #expect(watch.pass(at: before(.milliseconds(6))) == nil)
    #expect(watch.pass(at: before(.milliseconds(5))) == .near)
    #expect(watch.next == limit)
  }

  @Test func `LC4: the warning is never early, and comes once`() {
    var watch = TimeLimitWatch(deadline: limit)
    #expect(watch.pass(at: before(.milliseconds(1))) == .near)
    #expect(watch.pass(at: before(.nanoseconds(1))) == nil)
    #expect(watch.pass(at: limit) == .reached)
    #expect(watch.next == nil)
    #expect(watch.pass(at: limit + .seconds(1)) == nil)
  }

  @Test func `LC4: one that looks late prepares and warns without another wait`() {
    var watch = TimeLimitWatch(deadline: limit)
    let late = limit + .seconds(1)
    #expect(watch.pass(at: late) == .near)
    #expect(watch.next.map { $0 <= late } == true)
    #expect(watch.pass(at: late) == .reached)
  }
}
