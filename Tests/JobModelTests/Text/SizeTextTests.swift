import JobModel
import Testing

@Suite("Sizes as text")
struct SizeTextTests {
  @Test(arguments: [
    ("1KiB", 1024), ("512MiB", 536_870_912), ("2GiB", 2_147_483_648), ("1kB", 1000),
    ("10MB", 10_000_000), ("3GB", 3_000_000_000), ("0B", 0), ("17B", 17),
  ])
  func `reads a number and a unit`(text: String, expected: Int64) {
    #expect(SizeText.parse(text) == .success(expected))
  }

  @Test(arguments: [
    (1_048_576, "1MiB"), (1_000_000, "1MB"), (1_500_000, "1500kB"), (0, "0B"), (1234, "1234B"),
    (3_221_225_472, "3GiB"), (1_024_000, "1000KiB"), (Int64.max, "9223372036854775807B"),
  ])
  func `writes the largest unit that leaves a whole number`(bytes: Int64, expected: String) {
    #expect(SizeText.format(bytes) == expected)
    #expect(SizeText.parse(expected) == .success(bytes))
  }

  static let mistakes: [(String, SizeText.Mistake)] = [
    ("", .empty),
    ("1024", .missingUnit(suggestion: "1KiB")),
    ("1.5GiB", .fraction(suggestion: "1536MiB")),
    ("0.3B", .fraction(suggestion: nil)),
    ("1G", .unknownUnit("G", offset: 1, suggestion: "1GiB")),
    ("5kb", .unknownUnit("kb", offset: 1, suggestion: "5kB")),
    ("1TiB", .unknownUnit("TiB", offset: 1, suggestion: "1024GiB")),
    ("1XB", .unknownUnit("XB", offset: 1, suggestion: nil)),
    ("MiB", .missingNumber(unit: "MiB")),
    ("10 MiB", .space(offset: 2, suggestion: "10MiB")),
    ("1GiB500MiB", .severalParts(offset: 4)),
    ("-1GiB", .unexpected("-", offset: 0)),
    ("9999999999GiB", .overflow),
  ]

  @Test(arguments: mistakes)
  func `refuses what is no size, with the fix`(text: String, mistake: SizeText.Mistake) {
    #expect(SizeText.parse(text) == .failure(mistake))
    #expect(!mistake.sentence.isEmpty)
    if let suggestion = mistake.suggestion {
      #expect((try? SizeText.parse(suggestion).get()) != nil, "\(suggestion)")
    }
  }

  @Test func `no text makes it trap`() {
    checkMutations(of: Self.mistakes.map(\.0), seed: 3) { text in
      switch SizeText.parse(text) {
      case .success(let bytes):
        #expect(SizeText.parse(SizeText.format(bytes)) == .success(bytes))
      case .failure(let mistake): checkPlace(of: mistake, in: text)
      }
    }
  }

  @Test(
    arguments: [
      (0, "0B"), (9999, "9999B"), (10_240, "10KiB"), (1_572_864_000, "1500MiB"),
      (83_721_940_992, "77GiB"), (.max, "8589934591GiB"),
    ] as [(Int64, String)])
  func `an observed size keeps two places or more`(bytes: Int64, text: String) {
    #expect(SizeText.approximate(bytes) == text)
  }
}
