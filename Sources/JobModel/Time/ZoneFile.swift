/// The contents of a TZif file (RFC 8536), checked.
struct ZoneFile {
  var transitions: [Int]
  /// For each transition the index of the type that begins there.
  var transitionTypes: [UInt8]
  var types: [ZoneType]
  var footer: ZoneFooter?

  /// The largest zones have a few hundred transitions; a file with more than this isn't one.
  private static let mostTransitions = 4096

  init(
    transitions: [Int], transitionTypes: [UInt8], types: [ZoneType], footer: ZoneFooter?
  ) {
    self.transitions = transitions
    self.transitionTypes = transitionTypes
    self.types = types
    self.footer = footer
  }

  init(_ bytes: [UInt8]) throws(TimeZoneRules.Damage) {
    var reader = ByteReader(bytes)
    var header = try ZoneFileHeader(&reader)
    guard header.version >= 2 else {
      try self.init(body: &reader, header: header, timeSize: 4)
      return
    }
    // The block of 32-bit times stands first, for readers older than version 2.
    _ = try reader.take(header.bodySize(timeSize: 4))
    header = try ZoneFileHeader(&reader)
    try self.init(body: &reader, header: header, timeSize: 8)
    footer = try Self.footer(&reader)
  }

  private init(
    body reader: inout ByteReader, header: ZoneFileHeader, timeSize: Int
  ) throws(TimeZoneRules.Damage) {
    guard header.leapCount == 0 else { throw .leapSeconds }
    guard header.transitionCount <= Self.mostTransitions else { throw .tooManyTransitions }
    guard header.typeCount >= 1, header.typeCount <= 256 else { throw .types }
    var times: [Int] = []
    times.reserveCapacity(header.transitionCount)
    for _ in 0..<header.transitionCount {
      let time = try reader.signedInteger(size: timeSize)
      guard time > -(1 << 60), time < 1 << 60, times.last.map({ $0 < time }) ?? true else {
        throw .transitionOrder
      }
      times.append(time)
    }
    transitions = times
    transitionTypes = Array(try reader.take(header.transitionCount))
    guard transitionTypes.allSatisfy({ $0 < header.typeCount }) else { throw .types }
    let records = try reader.take(header.typeCount * 6)
    let abbreviations = try reader.take(header.abbreviationSize)
    _ = try reader.take(header.standardFlagCount + header.universalFlagCount)
    types = []
    var record = ByteReader(Array(records))
    for _ in 0..<header.typeCount {
      let offset = try record.signedInteger(size: 4)
      guard abs(offset) <= ZoneType.largestOffset else { throw .offset }
      let rest = try record.take(2)
      let start = abbreviations.startIndex + Int(rest[rest.startIndex + 1])
      guard start < abbreviations.endIndex,
        let end = abbreviations[start...].firstIndex(of: 0)
      else { throw .abbreviation }
      types.append(
        ZoneType(
          offset: offset, abbreviation: String(decoding: abbreviations[start..<end], as: UTF8.self))
      )
    }
  }

  /// The line behind the 64-bit block: a POSIX TZ string, or empty where nothing is known.
  private static func footer(
    _ reader: inout ByteReader
  ) throws(TimeZoneRules.Damage) -> ZoneFooter? {
    guard try reader.take(1).first == UInt8(ascii: "\n"), let line = reader.line() else {
      throw .footer
    }
    guard !line.isEmpty else { return nil }
    guard let footer = ZoneFooter(line) else { throw .footer }
    return footer
  }
}

/// The fixed 44 bytes before each block of a TZif file.
private struct ZoneFileHeader {
  var version: Int
  var universalFlagCount: Int
  var standardFlagCount: Int
  var leapCount: Int
  var transitionCount: Int
  var typeCount: Int
  var abbreviationSize: Int

  init(_ reader: inout ByteReader) throws(TimeZoneRules.Damage) {
    guard try reader.take(4).elementsEqual("TZif".utf8) else { throw .notTZif }
    let byte = try reader.take(1).first ?? 0
    // Later versions promise to stay readable as version 2 (RFC 8536, 3.1).
    guard byte == 0 || (UInt8(ascii: "2")...UInt8(ascii: "9")).contains(byte) else {
      throw .version
    }
    version = byte == 0 ? 1 : Int(byte - UInt8(ascii: "0"))
    _ = try reader.take(15)
    universalFlagCount = try reader.count()
    standardFlagCount = try reader.count()
    leapCount = try reader.count()
    transitionCount = try reader.count()
    typeCount = try reader.count()
    abbreviationSize = try reader.count()
  }

  /// The bytes behind this header; counts have 32 bits, so that the sum can't overflow.
  func bodySize(timeSize: Int) -> Int {
    transitionCount * (timeSize + 1) + typeCount * 6 + abbreviationSize
      + leapCount * (timeSize + 4) + standardFlagCount + universalFlagCount
  }
}

/// Takes bytes from the front, never more than there are.
private struct ByteReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    rest = bytes[...]
  }

  mutating func take(_ count: Int) throws(TimeZoneRules.Damage) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw .truncated }
    defer { rest.removeFirst(count) }
    return rest.prefix(count)
  }

  /// A big-endian count of four bytes.
  mutating func count() throws(TimeZoneRules.Damage) -> Int {
    try take(4).reduce(0) { $0 << 8 | Int($1) }
  }

  /// A big-endian two's complement number of 4 or 8 bytes.
  mutating func signedInteger(size: Int) throws(TimeZoneRules.Damage) -> Int {
    let bits = try take(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return size == 4
      ? Int(Int32(truncatingIfNeeded: bits)) : Int(Int64(truncatingIfNeeded: bits))
  }

  /// The bytes up to the next line feed; nil without one.
  func line() -> ArraySlice<UInt8>? {
    rest.firstIndex(of: UInt8(ascii: "\n")).map { rest[..<$0] }
  }
}

extension TimeZoneRules {
  /// Why bytes are no time zone.
  package enum Damage: Error, Hashable, Sendable {
    case notTZif
    case version
    case truncated
    case types
    case offset
    case abbreviation
    case transitionOrder
    case tooManyTransitions
    /// A zone of the `right/` family, whose instants count leap seconds as no clock here does.
    case leapSeconds
    case footer

    /// What is wrong with the file, to stand behind its path.
    package var sentence: String {
      switch self {
      case .notTZif: "it isn't a TZif file"
      case .version: "its format version is unknown"
      case .truncated: "it ends too early"
      case .types: "its local time types are damaged"
      case .offset: "it holds an impossible offset from UTC"
      case .abbreviation: "it holds a damaged abbreviation"
      case .transitionOrder: "its transitions aren't in order"
      case .tooManyTransitions: "it holds more transitions than any time zone has"
      case .leapSeconds: "it counts leap seconds; use the zone without 'right/' in front"
      case .footer: "the rule for its future is damaged"
      }
    }
  }
}
