/// A text such as `1h30m` or `10 MiB` cut into numbers and units, before anyone judges it.
///
/// The cut is lenient so that a refused text can still be understood well enough to suggest the
/// right one.
struct MeasureParts {
  /// A number and the unit behind it, as ranges of UTF-8 offsets; any of them may be empty.
  struct Part {
    var number: Range<Int>
    var fraction: Range<Int>
    var unit: Range<Int>

    var isWhole: Bool { fraction.isEmpty }
    var start: Int { min(number.lowerBound, unit.lowerBound) }
  }

  private(set) var parts: [Part] = []
  /// The first byte that belongs to no number, unit or space.
  private(set) var strayOffset: Int?
  private(set) var spaceOffset: Int?
  private let bytes: [UInt8]

  init(_ text: some StringProtocol) {
    bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      if bytes[index].isASCIISpace {
        spaceOffset = spaceOffset ?? index
        index += 1
      } else if bytes[index].isDecimalDigit || Self.isUnit(bytes[index]) {
        parts.append(readPart(from: &index))
      } else {
        strayOffset = index
        return
      }
    }
  }

  /// The text in a range.
  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// The decimal number in a range; nil when it doesn't fit.
  func integer(_ range: Range<Int>) -> Int64? {
    Int64(text(range))
  }

  /// A part's value in the smallest unit; nil when it isn't a whole number of them or doesn't fit.
  func value(_ part: Part, unit: Int64) -> Int64? {
    guard let whole = integer(part.number), part.fraction.count <= 9 else { return nil }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    guard !part.isWhole else { return scaled }
    guard let digits = integer(part.fraction) else { return nil }
    let (product, tooLarge) = digits.multipliedReportingOverflow(by: unit)
    let denominator = part.fraction.reduce(Int64(1)) { power, _ in power * 10 }
    guard !tooLarge, product % denominator == 0 else { return nil }
    let (sum, sumOverflow) = scaled.addingReportingOverflow(product / denominator)
    return sumOverflow ? nil : sum
  }

  private mutating func readPart(from index: inout Int) -> Part {
    let number = run(from: &index, while: \.isDecimalDigit)
    var fraction = index..<index
    if !number.isEmpty, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "."),
      bytes[index + 1].isDecimalDigit
    {
      index += 1
      fraction = run(from: &index, while: \.isDecimalDigit)
    }
    var unitStart = index
    let space = run(from: &unitStart, while: \.isASCIISpace)
    guard unitStart < bytes.count, Self.isUnit(bytes[unitStart]) else {
      return Part(number: number, fraction: fraction, unit: index..<index)
    }
    if !space.isEmpty { spaceOffset = spaceOffset ?? space.lowerBound }
    index = unitStart
    return Part(
      number: number, fraction: fraction, unit: run(from: &index, while: Self.isUnit))
  }

  private func run(from index: inout Int, while belongs: (UInt8) -> Bool) -> Range<Int> {
    let start = index
    while index < bytes.count, belongs(bytes[index]) { index += 1 }
    return start..<index
  }

  /// Letters of every script, so that `µs` is one (unknown) unit.
  private static func isUnit(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte >= 0x80
  }
}
