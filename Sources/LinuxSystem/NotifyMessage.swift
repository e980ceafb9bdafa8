/// One message of the sd_notify protocol, with bgrun's own lines; lines that say nothing here are
/// passed over.
package struct NotifyMessage: Hashable, Sendable {
  package var isReady = false
  package var isStopping = false
  package var isReloading = false
  /// A line for people; the subtitle of a run.
  package var status: String?
  /// More time, from now.
  package var timeExtension: Duration?
  /// What is done, 0…1.
  package var fraction: Double?
  /// A new title.
  package var title: String?

  package init() {}

  /// Reads a datagram.
  package init(_ bytes: some Collection<UInt8>) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: equals)...]
      switch line[..<equals] {
      case "READY": isReady = value == "1"
      case "STOPPING": isStopping = value == "1"
      case "RELOADING": isReloading = value == "1"
      case "STATUS": status = String(value)
      case "X_BGRUN_TITLE": title = String(value)
      case "X_BGRUN_PROGRESS": fraction = Self.fraction(value)
      case "EXTEND_TIMEOUT_USEC":
        timeExtension = UInt64(value).map { .microseconds(Int64(clamping: $0)) }
      default: continue
      }
    }
  }

  /// `3/10` as 0.3; nil for what isn't two numbers with something to do.
  package static func fraction(_ text: some StringProtocol) -> Double? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let done = Double(parts[0]), let total = Double(parts[1]),
      done.isFinite, total.isFinite, total > 0
    else { return nil }
    return min(1, max(0, done / total))
  }
}
