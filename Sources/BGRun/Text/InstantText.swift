package import JobModel

/// Instants and spans as people read them: local time with its offset, and the distance from now.
package struct InstantText {
  /// Where the reader is.
  package var zone: TimeZoneRules
  /// What distances are told from.
  package var now: WallInstant

  package init(zone: TimeZoneRules, now: WallInstant) {
    self.zone = zone
    self.now = now
  }

  /// "2026-11-30 10:05:00 +01:00"
  package func local(_ instant: WallInstant) -> String {
    var text = RFC3339.format(instant, offset: zone.offset(at: instant), fractionDigits: 0)
    if text.hasSuffix("Z") { text = text.dropLast() + "+00:00" }
    return text.prefix(10) + " " + text.dropFirst(11).prefix(8) + " " + text.dropFirst(19)
  }

  /// "in 4 min", "3 h ago", "now"
  package func relative(_ instant: WallInstant) -> String {
    let distance = instant - now
    let size = distance < .zero ? .zero - distance : distance
    if size < .seconds(1) { return "now" }
    return distance < .zero ? "\(Self.rough(size)) ago" : "in \(Self.rough(size))"
  }

  /// JSON's form: RFC 3339 in UTC with milliseconds.
  package static func json(_ instant: WallInstant) -> JSONValue {
    .text(RFC3339.format(instant))
  }

  /// One unit, cut off: "59 s", "4 min", "3 h", "12 d".
  static func rough(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }

  /// How long something took: "0.12 s", "3.4 s", "2m5s".
  package static func took(_ duration: Duration) -> String {
    let seconds = duration.inSeconds
    guard seconds < 60 else { return DurationText.format(.seconds(duration.components.seconds)) }
    let digits = seconds < 1 ? 2 : 1
    let scale: Double = digits == 2 ? 100 : 10
    let scaled = Int((max(0, seconds) * scale).rounded())
    let fraction = String(scaled % Int(scale))
    return "\(scaled / Int(scale))."
      + String(repeating: "0", count: digits - fraction.count) + fraction + " s"
  }
}
