/// Sizes as people write them in a manifest: `512MiB`, `10GB`, `64kB`; the value is in bytes.
///
/// One whole number and one unit. `K`, `M` and `G` alone are refused: they mean 1000 to some and
/// 1024 to others.
package enum SizeText {
  /// The units, the largest first.
  enum Unit: String, CaseIterable {
    case gibibyte = "GiB"
    case gigabyte = "GB"
    case mebibyte = "MiB"
    case megabyte = "MB"
    case kibibyte = "KiB"
    case kilobyte = "kB"
    case byte = "B"

    var bytes: Int64 {
      switch self {
      case .gibibyte: 1 << 30
      case .gigabyte: 1_000_000_000
      case .mebibyte: 1 << 20
      case .megabyte: 1_000_000
      case .kibibyte: 1 << 10
      case .kilobyte: 1000
      case .byte: 1
      }
    }
  }

  /// Reads a size in bytes.
  package static func parse(_ text: some StringProtocol) -> Result<Int64, Mistake> {
    let parts = MeasureParts(text)
    if let stray = parts.strayOffset {
      let bytes = text.utf8
      let index = bytes.index(bytes.startIndex, offsetBy: stray)
      return .failure(.unexpected(String(text[index]), offset: stray))
    }
    guard let part = parts.parts.first else { return .failure(.empty) }
    let meant = parts.parts.count == 1 ? meantText(part, in: parts) : nil
    let name = parts.text(part.unit)
    if part.unit.isEmpty { return .failure(.missingUnit(suggestion: meant)) }
    guard let unit = Unit(rawValue: name) else {
      return .failure(.unknownUnit(name, offset: part.unit.lowerBound, suggestion: meant))
    }
    if part.number.isEmpty { return .failure(.missingNumber(unit: name)) }
    if parts.parts.count > 1 {
      return .failure(.severalParts(offset: parts.parts[1].start))
    }
    if !part.isWhole { return .failure(.fraction(suggestion: meant)) }
    if let space = parts.spaceOffset {
      return .failure(.space(offset: space, suggestion: meant))
    }
    return parts.value(part, unit: unit.bytes).map { .success($0) } ?? .failure(.overflow)
  }

  /// Writes a size with the largest unit that leaves a whole number: `1GiB`, `1500kB`, `0B`.
  ///
  /// `parse` reads it back to the same value unless it is negative.
  package static func format(_ bytes: Int64) -> String {
    let unit = Unit.allCases.first { bytes != 0 && bytes % $0.bytes == 0 } ?? .byte
    return "\(bytes / unit.bytes)\(unit.rawValue)"
  }

  /// Writes an observed size for people, rounded down to two places or more: `78GiB`, `1500MiB`.
  package static func approximate(_ bytes: Int64) -> String {
    let units: [Unit] = [.gibibyte, .mebibyte, .kibibyte]
    let unit = units.first { bytes / $0.bytes >= 10 } ?? .byte
    return "\(bytes / unit.bytes)\(unit.rawValue)"
  }

  /// What the author of one part meant; nil when that can't be known.
  private static func meantText(
    _ part: MeasureParts.Part, in parts: MeasureParts
  ) -> String? {
    let unit: Int64
    switch parts.text(part.unit).lowercased() {
    case "", "b", "byte", "bytes": unit = 1
    case "kb": unit = 1000
    case "mb": unit = 1_000_000
    case "gb": unit = 1_000_000_000
    case "tb": unit = 1_000_000_000_000
    // Programs that write a single letter mostly mean the powers of two.
    case "k", "ki", "kib": unit = 1 << 10
    case "m", "mi", "mib": unit = 1 << 20
    case "g", "gi", "gib": unit = 1 << 30
    case "t", "ti", "tib": unit = 1 << 40
    default: return nil
    }
    return parts.value(part, unit: unit).map(format)
  }
}
