import BGRun
public import Foundation

extension ProcessInfo {
  /// Runs `block` on a thread of its own while the program is kept from being suspended or ended.
  ///
  /// It is called with false when time is granted, and a second time, while the first call may still
  /// go on, with true when the time runs out: the first call should then return soon. Where no time
  /// can be granted it is called once, with true (BG10).
  ///
  /// - Parameter reason: what reports call the activity.
  @_disfavoredOverload
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void
  ) {
    let site = CallSite.unknown
    performExpiringActivity(withReason: reason, using: block, fileID: site.file, line: site.line)
  }

  /// The same, as the compiler takes it for a call: it knows its place, which reports name (BG5).
  ///
  /// - Parameters:
  ///   - fileID: left out.
  ///   - line: left out.
  public func performExpiringActivity(
    withReason reason: String, using block: @escaping @Sendable (Bool) -> Void,
    fileID: String = #fileID, line: UInt = #line
  ) {
    BackgroundApplication.shared.performExpiringActivity(
      withReason: reason, using: block, fileID: fileID, line: line)
  }
}
