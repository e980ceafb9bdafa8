import JobModel
import Testing

@testable import DeviceConditions

@Suite("The pace at which changes are told")
struct ChangeBudgetTests {
  private func instant(milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanoseconds: 3_600_000_000_000 + milliseconds * 1_000_000)
  }

  @Test func `a few changes are told at once, the next when one is paid off`() {
    var budget = ChangeBudget(burst: 3, pace: .milliseconds(100))
    for _ in 0..<3 { #expect(budget.spend(at: instant(milliseconds: 0)) == nil) }
    #expect(budget.spend(at: instant(milliseconds: 0)) == instant(milliseconds: 100))
    #expect(budget.spend(at: instant(milliseconds: 99)) == instant(milliseconds: 100))
    #expect(budget.spend(at: instant(milliseconds: 100)) == nil)
    #expect(budget.spend(at: instant(milliseconds: 100)) == instant(milliseconds: 200))
  }

  @Test func `a thousand flips a second are told at the pace, and never none for long`() {
    var budget = ChangeBudget(burst: 8, pace: .milliseconds(100))
    let told = (0..<10_000).count { budget.spend(at: instant(milliseconds: Int64($0))) == nil }
    #expect(told == 8 + 99)
  }

  @Test func `after a rest the whole burst is there again`() {
    var budget = ChangeBudget(burst: 2, pace: .milliseconds(100))
    for _ in 0..<2 { _ = budget.spend(at: instant(milliseconds: 0)) }
    for _ in 0..<2 { #expect(budget.spend(at: instant(milliseconds: 5_000)) == nil) }
    #expect(budget.spend(at: instant(milliseconds: 5_000)) != nil)
  }
}
