import Testing
import YAMLSource

@Suite("Places are those that editors show")
struct PlaceTests {
  @Test(arguments: [
    ("", [0]), ("a", [0]), ("\n", [0]), ("a\nb", [0, 2]), ("a\r\nb\r\n", [0, 3]), ("a\rb", [0, 2]),
    ("a\r", [0]), ("\r\r\n\n\rx", [0, 1, 3, 4, 5]), ("a\n\r", [0, 2]), ("a\r\n\r\nb", [0, 3, 5]),
  ])
  func `lines end with a line feed, a carriage return, or both`(text: String, starts: [Int]) {
    let table = LineTable(source: SourceText(text))
    #expect(table.lineCount == starts.count)
    #expect((1...table.lineCount).map { Int(table.range(ofLine: $0).start) } == starts)
    for (number, start) in starts.enumerated() { #expect(table.line(of: start) == number + 1) }
  }

  @Test func `columns count Unicode scalars, offsets bytes, utf16 units`() {
    let table = LineTable(source: SourceText("a: \"🚀é\" x\n"))
    let position = table.position(of: Array("a: \"🚀é\" ".utf8).count)
    #expect(position == SourcePosition(line: 1, column: 9, offset: 12, utf16Column: 9))
  }

  @Test func `a byte order mark is no column, but counts in the offset`() {
    let source = SourceText(bytes: [0xEF, 0xBB, 0xBF] + Array("a: b".utf8))
    let position = LineTable(source: source).position(of: 3)
    #expect(position == SourcePosition(line: 1, column: 1, offset: 3, utf16Column: 0))
  }

  @Test func `offsets in UTF-16 are those of the file`() throws {
    let text = "é: 🚀\nb: c\n"
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    let source = SourceText(bytes: bytes)
    #expect(source.encoding == .utf16LittleEndian)
    let position = LineTable(source: source).position(of: Array("é: 🚀\n".utf8).count)
    #expect(position == SourcePosition(line: 2, column: 1, offset: 14, utf16Column: 0))
  }

  @Test(arguments: ["a\nb\nc", "a\r\nb\r\nc", "a\rb\rc", "a\nb\nc\n"])
  func `every kind of line break ends a line`(text: String) {
    let table = LineTable(source: SourceText(text))
    #expect(table.lineCount == 3)
    #expect((1...3).map { table.source.text(in: table.range(ofLine: $0)) } == ["a", "b", "c"])
    #expect(table.position(of: table.source.bytes.count).offset == text.utf8.count)
  }

  @Test func `node ranges are bytes even where characters are wide`() throws {
    let tree = YAMLReader.read(SourceText("é: [🚀, x]\nb: *x\n"))
    #expect(tree.problems.map(\.range) == [ByteRange(17, 19)])
    let root = try #require(tree.documents.first?.root)
    let items = tree.children(of: Array(tree.children(of: root))[1])
    #expect(items.map { tree.source.text(in: tree.range(of: $0)) } == ["🚀", "x"])
  }
}
