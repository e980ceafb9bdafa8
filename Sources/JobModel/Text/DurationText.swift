/// Durations as people write them in a manifest and on the command line: `500ms`, `30s`, `1h30m`.
///
/// A number and a unit, the largest unit first. There are no bare numbers and no `1:30`: both mean
/// different things to different readers.
package enum DurationText {
  /// The units, the largest first.
  enum Unit: Int, CaseIterable {
    case day, hour, minute, second, millisecond

    var text: String {
      switch self {
      case .day: "d"
      case .hour: "h"
      case .minute: "m"
      case .second: "s"
      case .millisecond: "ms"
      }
    }

    var milliseconds: Int64 {
      switch self {
      case .day: 86_400_000
      case .hour: 3_600_000
      case .minute: 60_000
      case .second: 1000
      case .millisecond: 1
      }
    }

    /// The unit that is written exactly so.
    init?(text: String) {
      guard let unit = Self.allCases.first(where: { $0.text == text }) else { return nil }
      self = unit
    }
  }

  /// The longest duration that a text can stand for: what fits in a signed 64-bit count of
  /// microseconds, so that clocks and durations can be added.
  static let longestMilliseconds = Int64.max / 1000

  /// Reads a duration.
  package static func parse(_ text: some StringProtocol) -> Result<Duration, Mistake> {
    if let duration = duration(ContiguousArray(text.utf8).span) { return .success(duration) }
    return .failure(mistake(in: text))
  }

  /// The first mistake in a text that is no duration.
  package static func mistake(in text: some StringProtocol) -> Mistake {
    DurationReading(MeasureParts(text)).mistake(in: text)
  }

  /// The duration that UTF-8 text stands for; nil for any mistake, which is then looked for.
  ///
  /// One pass without copies: a manifest holds durations by the ten thousand.
  package static func duration(_ bytes: Span<UInt8>) -> Duration? {
    var total: Int64 = 0
    var previous = -1
    var index = 0
    repeat {
      var number: Int64 = 0
      let start = index
      while index < bytes.count, bytes[index].isDecimalDigit {
        guard number <= longestMilliseconds / 10 else { return nil }
        number = number * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
        index += 1
      }
      guard index > start, let unit = unit(bytes, at: &index), unit.rawValue > previous,
        number <= (longestMilliseconds - total) / unit.milliseconds
      else { return nil }
      total += number * unit.milliseconds
      previous = unit.rawValue
    } while index < bytes.count
    return .milliseconds(total)
  }

  private static func unit(_ bytes: Span<UInt8>, at index: inout Int) -> Unit? {
    guard index < bytes.count else { return nil }
    let letter = bytes[index]
    index += 1
    switch letter {
    case UInt8(ascii: "d"): return .day
    case UInt8(ascii: "h"): return .hour
    case UInt8(ascii: "s"): return .second
    case UInt8(ascii: "m"):
      guard index < bytes.count, bytes[index] == UInt8(ascii: "s") else { return .minute }
      index += 1
      return .millisecond
    default: return nil
    }
  }

  /// Writes a duration in its one canonical form: `1h30m`, `10m`, `500ms`, `0s`.
  ///
  /// What is below a millisecond is left out; `parse` reads the text back to the same value
  /// unless the duration is negative, which only a report can show.
  package static func format(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let isNegative = seconds < 0 || attoseconds < 0
    var rest = seconds.magnitude
    let milliseconds = (attoseconds / 1_000_000_000_000_000).magnitude
    var text = ""
    for unit in [Unit.day, .hour, .minute, .second] {
      let (count, remainder) = rest.quotientAndRemainder(
        dividingBy: UInt64(unit.milliseconds / 1000))
      if count > 0 { text += "\(count)\(unit.text)" }
      rest = remainder
    }
    if milliseconds > 0 { text += "\(milliseconds)\(Unit.millisecond.text)" }
    guard !text.isEmpty else { return "0s" }
    return isNegative ? "-" + text : text
  }
}
