import Glibc
import JobModel

/// A zone of the machine's database.
func zone(_ name: String) throws -> TimeZoneRules {
  guard let file = fopen("/usr/share/zoneinfo/\(name)", "r") else { throw MissingZone(name: name) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  let count = fread(&bytes, 1, bytes.count, file)
  return try TimeZoneRules(name: name, tzif: Array(bytes.prefix(count)))
}

struct MissingZone: Error {
  var name: String
}

/// The instant that RFC 3339 text names; the text is known to be good.
func instant(_ text: String) -> WallInstant {
  guard let instant = RFC3339.parse(text) else { preconditionFailure("not RFC 3339: \(text)") }
  return instant
}

/// Both clocks at the instant that RFC 3339 text names.
func moment(_ text: String) -> Now {
  Now(wall: instant(text), monotonic: Now.start.monotonic)
}
