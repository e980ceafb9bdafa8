import JobModel
import Testing

@Suite("Durations as numbers")
struct DurationInSecondsTests {
  @Test(
    arguments: [
      (Duration.nanoseconds(10_306_178), "0.010306178"), (.nanoseconds(10_304_177), "0.010304177"),
      (.milliseconds(1300), "1.3"), (.seconds(-2), "-2.0"), (.zero, "0.0"),
      (.seconds(864_000) + .nanoseconds(1), "864000.000000001"),
    ])
  func `seconds have the digits of the nanoseconds and no more`(duration: Duration, text: String) {
    #expect("\(duration.inSeconds)" == text)
  }
}
