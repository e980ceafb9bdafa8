package import FoundationEssentials
package import JobModel

extension WallInstant {
  /// The nearest instant; dates beyond the calendar's range are its ends.
  package init(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1e6).rounded()
    self.init(microseconds: Int64(exactly: microseconds) ?? (microseconds < 0 ? .min : .max))
  }
}

extension Date {
  package init(_ instant: WallInstant) {
    self.init(timeIntervalSince1970: Double(instant.microseconds) / 1e6)
  }
}
