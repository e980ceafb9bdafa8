import LinuxSystem

/// The variables that this process was started with.
enum ProcessEnvironment {
  /// Read from the kernel, because the C global is out of reach of strict concurrency; without
  /// /proc there are none. The first of two entries of one name counts, as for `getenv`.
  static var variables: [String: String] {
    let bytes = (try? Files.read("/proc/self/environ")) ?? []
    let entries = bytes.split(separator: 0).compactMap { entry -> (String, String)? in
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      return (
        String(decoding: entry[..<equals], as: UTF8.self),
        String(decoding: entry[(equals + 1)...], as: UTF8.self)
      )
    }
    return Dictionary(entries) { first, _ in first }
  }
}
