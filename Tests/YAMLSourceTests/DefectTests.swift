import Testing
@testable import YAMLSource

@Suite("Bytes that aren't text, and text that isn't YAML, keep what stands before them")
struct DefectTests {
  private static let good = Array("a: 1\nb: 2\n".utf8)

  @Test(arguments: [
    ([0xFF], EncodingDefect.Kind.invalidByte(0xFF)),
    ([0xC0, 0xAF], .invalidByte(0xC0)),
    ([0xED, 0xA0, 0x80], .invalidByte(0xED)),
    ([0xF4, 0x90, 0x80, 0x80], .invalidByte(0xF4)),
    ([0xE2, 0x82], .invalidByte(0xE2)),
    ([0x00], .nul),
    ([0x07], .controlCharacter(7)),
    ([0x7F], .controlCharacter(0x7F)),
    ([0xC2, 0x80], .controlCharacter(0x80)),
    ([0xC2, 0x85], .lineSeparator(0x85)),
    ([0xE2, 0x80, 0xA8], .lineSeparator(0x2028)),
    ([0xE2, 0x80, 0xA9], .lineSeparator(0x2029)),
    ([0xEF, 0xBB, 0xBF], .byteOrderMark),
    ([0xEF, 0xBF, 0xBE], .controlCharacter(0xFFFE)),
  ])
  func `a defect is found at its place and the lines before it are read`(
    bytes: [UInt8], kind: EncodingDefect.Kind
  ) throws {
    let lead = Self.good + Array("c: [x, ".utf8)
    let tree = YAMLReader.read(SourceText(bytes: lead + bytes + Array("]\nd: 3\n".utf8)))
    #expect(tree.problems.map(\.kind) == [.encoding(kind)])
    #expect(tree.problems.first.map { Int($0.range.start) } == lead.count)
    #expect(tree.cut == lead.count)
    let root = try #require(tree.documents.first?.root)
    #expect(tree.children(of: root).map(tree.text) == ["a", "1", "b", "2"])
    #expect(tree.isCut(root))
  }

  @Test func `characters of every length are text`() {
    let tree = YAMLReader.read(SourceText("a: \"é€🚀\u{E000}\u{10FFFF}\u{A0}\"\n"))
    #expect(tree.problems.isEmpty)
  }

  @Test(arguments: [[0xFF, 0xFE, 0x00, 0xD8, 0x61, 0x00], [0xFF, 0xFE, 0x61]])
  func `broken UTF-16 is a defect`(bytes: [UInt8]) {
    #expect(YAMLReader.read(SourceText(bytes: bytes)).problems.count == 1)
  }

  @Test(arguments: [
    ("b:\n", "", true), ("b: x\n", "  \u{7}\n", true), ("b: x\n", "\u{7}\n", false),
    ("b: [x]\n", "  \u{7}", false),
  ])
  func `a value that the cut may have shortened counts as unread`(
    last: String, bad: String, isUnread: Bool
  ) throws {
    let tree = YAMLReader.read(SourceText("a: 1\n\(last)\(bad.isEmpty ? "\u{7}" : bad)"))
    let root = try #require(tree.documents.first?.root)
    let value = try #require(Array(tree.children(of: root)).last)
    #expect((tree.kind(of: value) == .unread) == isUnread)
  }

  @Test func `a syntax error keeps the pairs before it, and closes what is open as cut`() throws {
    let tree = YAMLReader.read(SourceText("a: 1\nb:\n  c: [x, y\nd: \"\n"))
    #expect(tree.problems.count == 1)
    let root = try #require(tree.documents.first?.root)
    #expect(tree.isCut(root))
    let nodes = Array(tree.children(of: root))
    #expect(nodes.prefix(3).map(tree.text) == ["a", "1", "b"])
    let inner = Array(tree.children(of: nodes[3]))
    #expect(tree.isCut(nodes[3]))
    #expect(tree.children(of: inner[1]).first { _ in true }.map(tree.text) == "x")
  }

  @Test func `a key without its value has an unread one`() throws {
    let tree = YAMLReader.read(SourceText("a: 1\nb: @x\n"))
    let root = try #require(tree.documents.first?.root)
    let nodes = Array(tree.children(of: root))
    #expect(nodes.count == 4)
    #expect(tree.kind(of: nodes[3]) == .unread)
  }

  @Test func `every cut of a source reads without a trap`() {
    let text = Array(
      "%YAML 1.2\n---\na: &x {k: [1, 'b', \"\\u00e9\"], <<: *x}\nb: |\n  é🚀\nc: *x\n...\n".utf8)
    for length in 0...text.count {
      let tree = YAMLReader.read(SourceText(bytes: Array(text[..<length])))
      #expect(tree.problems.count <= 3)
    }
  }
}
