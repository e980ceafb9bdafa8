/// The rule for a zone's future: the POSIX TZ string in a TZif footer, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`, with the hours from -167 to 167 of RFC 8536.
struct ZoneFooter: Hashable, Sendable {
  private let standard: ZoneType
  private let daylight: Daylight?

  /// Daylight time, and when in each year it begins and ends.
  private struct Daylight: Hashable {
    var type: ZoneType
    var begin: YearlyMoment
    var end: YearlyMoment
  }

  /// Reads a TZ string; nil when it isn't one or leaves open when daylight time begins.
  init?(_ text: ArraySlice<UInt8>) {
    var reader = FooterReader(text)
    guard let name = reader.abbreviation(), let west = reader.time(largestHour: 24) else {
      return nil
    }
    standard = ZoneType(offset: -west, abbreviation: name)
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    guard let daylightName = reader.abbreviation() else { return nil }
    var daylightType = ZoneType(offset: standard.offset + 3600, abbreviation: daylightName)
    if !reader.skip(",") {
      guard let west = reader.time(largestHour: 24), reader.skip(",") else { return nil }
      daylightType.offset = -west
    }
    guard let begin = YearlyMoment(&reader), reader.skip(","), let end = YearlyMoment(&reader),
      reader.isAtEnd
    else { return nil }
    daylight = Daylight(type: daylightType, begin: begin, end: end)
  }

  /// The period around an instant, as if the rule held from `earliest` on.
  func period(at seconds: Int, notBefore earliest: Int) -> ZonePeriod {
    guard let daylight else {
      return ZonePeriod(start: earliest, end: ZonePeriod.distantFuture, type: standard)
    }
    var latest = ZonePeriod.distantPast
    var period = ZonePeriod(start: latest, end: ZonePeriod.distantFuture, type: standard)
    func change(at instant: Int, to type: ZoneType) {
      if instant > seconds {
        period.end = min(period.end, instant)
      } else if instant >= latest {
        (latest, period.type) = (instant, type)
      }
    }
    let year = CivilDateTime(secondsSinceEpoch: seconds + standard.offset).date.year
    // A moment may lie a week outside its year; two years on both sides hold the neighbours.
    // Zones that keep daylight time all year end it in the instant in which it begins again: the
    // beginning, told last, counts.
    for year in year - 2...year + 2 {
      change(at: daylight.end.seconds(in: year) - daylight.type.offset, to: standard)
      change(at: daylight.begin.seconds(in: year) - standard.offset, to: daylight.type)
    }
    period.start = max(earliest, latest)
    return period
  }
}
