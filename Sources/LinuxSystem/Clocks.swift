internal import CLinux
internal import Glibc

/// The machine's clocks and names.
package enum Clocks {
  /// Nanoseconds since 1970 (CLOCK_REALTIME) and since an origin of this boot (CLOCK_MONOTONIC).
  package static func now() -> (wall: Int64, monotonic: Int64) {
    (nanoseconds(CLOCK_REALTIME), nanoseconds(CLOCK_MONOTONIC))
  }

  /// Whether the kernel reports its clock as synchronised (PL15); nil where it doesn't say.
  package static var isSynchronised: Bool? {
    let answer = bgrun_clock_is_synchronised()
    return answer < 0 ? nil : answer == 1
  }

  private static func nanoseconds(_ clock: Int32) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Which machine this is.
package enum Machine {
  /// A random value that stays with the installation; nil where there is none.
  package static var identifier: String? {
    firstLine("/etc/machine-id") ?? firstLine("/var/lib/dbus/machine-id")
  }

  /// What stable offsets are made from (PL18): the identifier, or what comes nearest to one.
  package static var stableName: String { identifier ?? hostName }

  /// The host's name.
  package static var hostName: String { firstLine("/proc/sys/kernel/hostname") ?? "localhost" }

  private static func firstLine(_ path: String) -> String? {
    guard let bytes = try? Files.read(path) else { return nil }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
