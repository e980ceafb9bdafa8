import Glibc
import JobModel
import Testing

/// The files that tests read: what Python wrote down, and this machine's time zones.
enum TestFile {
  /// The folder of the tables and their generators.
  static let tables =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Tables"

  /// The lines of a table, without its comments.
  static func table(_ name: String) throws -> [Substring] {
    let bytes = try #require(Self.bytes("\(tables)/\(name)"), "\(name) can't be read")
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }
  }

  /// A file's bytes; nil when it can't be read.
  static func bytes(_ path: String) -> [UInt8]? {
    fopen(path, "r").map(contents)
  }

  /// What a shell command writes to its standard output; nil when it can't be started.
  static func output(of command: String) -> String? {
    guard let stream = popen(command, "r") else { return nil }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 {
      text += chunk[..<count]
    }
    return pclose(stream) == 0 ? String(decoding: text, as: UTF8.self) : nil
  }

  private static func contents(_ stream: UnsafeMutablePointer<FILE>) -> [UInt8] {
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 {
      bytes += chunk[..<count]
    }
    return bytes
  }
}

/// The committed time zones, the same on every machine.
enum TestZones {
  /// The TZif bytes of the fixtures, by zone.
  static let bytes: [String: [UInt8]] = {
    let lines = (try? TestFile.table("zone-fixtures.tsv")) ?? []
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        let columns = line.split(separator: "\t")
        return (String(columns[0]), hexadecimal(columns[1]))
      })
  }()

  static func zone(_ name: String) throws -> TimeZoneRules {
    guard name != "UTC" else { return .utc }
    let bytes = try #require(bytes[name], "\(name) is no fixture")
    return try TimeZoneRules(name: name, tzif: bytes)
  }

  private static func hexadecimal(_ text: Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text.utf8 {
      let value = digit < UInt8(ascii: "a") ? digit - UInt8(ascii: "0") : digit - 87
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}

extension WallInstant: ExpressibleByStringLiteral {
  /// The instant that RFC 3339 text stands for, for tests.
  public init(stringLiteral text: String) {
    guard let instant = RFC3339.parse(text) else { preconditionFailure("no instant: \(text)") }
    self = instant
  }
}

/// The same numbers in every run: the generator SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
