/// How long to wait before the next attempt: twice as long after each that failed.
struct Patience {
  private var delay = first
  private static let first = Duration.milliseconds(100)
  private static let longest = Duration.seconds(60)

  mutating func next() -> Duration {
    defer { delay = min(delay * 2, Self.longest) }
    return delay
  }

  mutating func reset() {
    delay = Self.first
  }
}
