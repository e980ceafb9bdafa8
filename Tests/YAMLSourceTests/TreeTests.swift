import Testing
@testable import YAMLSource

@Suite("A source becomes nodes with byte ranges")
struct TreeTests {
  @Test func `nodes keep their ranges and texts`() throws {
    let tree = YAMLReader.read(SourceText("a: [x, \"y z\"]\nb: 'it''s'\n"))
    let root = try #require(tree.documents.first?.root)
    let nodes = Array(tree.children(of: root))
    #expect(nodes.count == 4)
    #expect(tree.kind(of: nodes[1]) == .sequence)
    #expect(tree.isFlow(nodes[1]))
    #expect(tree.source.text(in: tree.range(of: nodes[1])) == "[x, \"y z\"]")
    let items = Array(tree.children(of: nodes[1]))
    #expect(items.map(tree.text) == ["x", "y z"])
    #expect(tree.style(of: items[1]) == .doubleQuoted)
    #expect(tree.source.text(in: tree.range(of: items[1])) == "\"y z\"")
    #expect(tree.text(of: nodes[3]) == "it's")
    #expect(tree.source.text(in: tree.range(of: nodes[3])) == "'it''s'")
  }

  @Test(arguments: [
    ("a: b\n  c\n", "b c"),
    ("a: \"b\\tc\"\n", "b\tc"),
    ("a: \"\\N\"\n", "\u{85}"),
    ("a: \"b\\\n  c\"\n", "bc"),
    ("a: |\n  x\n\n  y\n", "x\n\ny\n"),
    ("a: >-\n  x\n  y\n", "x y"),
    ("a: &n text\n", "text"),
    ("a: !!str 5\n", "5"),
    ("a: 'x\n  y'\n", "x y"),
    ("a:\n", ""),
  ])
  func `a scalar's text is what YAML makes of it`(source: String, text: String) throws {
    let tree = YAMLReader.read(SourceText(source))
    let root = try #require(tree.documents.first?.root)
    let value = try #require(Array(tree.children(of: root)).last)
    #expect(tree.text(of: value) == text)
    #expect(tree.withText(of: value) { $0.count } == text.utf8.count)
  }

  @Test func `a block of text ends where its text does`() throws {
    let tree = YAMLReader.read(SourceText("a: |\n  x\n\n\nb: c\n"))
    let root = try #require(tree.documents.first?.root)
    let value = Array(tree.children(of: root))[1]
    #expect(tree.source.text(in: tree.range(of: value)) == "|\n  x")
  }

  @Test func `a block collection ends with its last child`() throws {
    let tree = YAMLReader.read(SourceText("a:\n  b: c\n\n# more\nd: e\n"))
    let root = try #require(tree.documents.first?.root)
    let value = Array(tree.children(of: root))[1]
    #expect(tree.source.text(in: tree.range(of: value)) == "b: c")
  }

  @Test func `an empty value has no width behind its colon`() throws {
    let tree = YAMLReader.read(SourceText("a:\nb: c\n"))
    let root = try #require(tree.documents.first?.root)
    let value = Array(tree.children(of: root))[1]
    #expect(tree.range(of: value) == ByteRange(2, 2))
    #expect(tree.isEmptyPlain(value))
  }

  @Test func `an alias stands for its anchor's node, and the anchor has a place`() throws {
    let tree = YAMLReader.read(SourceText("a: !!map &x {k: v}\nb: *x\nc: &y s\nd: *y\n"))
    let root = try #require(tree.documents.first?.root)
    let nodes = Array(tree.children(of: root))
    #expect(tree.kind(of: nodes[3]) == .alias)
    #expect(tree.resolved(nodes[3]) == nodes[1])
    let anchor = try #require(tree.anchorRange(of: nodes[1]))
    #expect(tree.source.text(in: anchor) == "&x")
    #expect(tree.text(of: tree.resolved(nodes[7])) == "s")
    #expect(tree.problems.isEmpty)
  }

  @Test func `tags are told in full, one number for each`() throws {
    let tree = YAMLReader.read(SourceText("- !!int 5\n- !own x\n- y\n- !!int 6\n"))
    let root = try #require(tree.documents.first?.root)
    #expect(
      tree.children(of: root).map { tree.tag(of: $0) }
        == ["tag:yaml.org,2002:int", "!own", nil, "tag:yaml.org,2002:int"])
  }

  @Test func `several documents are several roots, and anchors don't cross`() {
    let tree = YAMLReader.read(SourceText("a: &x 1\n---\nb: *x\n---\n"))
    #expect(tree.documents.count == 3)
    #expect(tree.problems.map(\.kind) == [.undefinedAlias(name: "x", known: [])])
  }

  @Test func `only a plain << is a merge key`() throws {
    let tree = YAMLReader.read(SourceText("<<: a\n\"<<\": b\n"))
    let root = try #require(tree.documents.first?.root)
    let nodes = Array(tree.children(of: root))
    #expect(tree.isMergeKey(nodes[0]))
    #expect(!tree.isMergeKey(nodes[2]))
  }

  @Test func `a hash in a text begins no comment`() {
    let tree = YAMLReader.read(SourceText("a: \"# bgrun: x\" # bgrun: x\n"))
    let marks = tree.source.offsets(ofCommentText: "bgrun: x")
    #expect(marks.map(tree.isInScalar) == [true, false])
  }
}

extension SourceText {
  init(_ text: String) { self.init(bytes: Array(text.utf8)) }
}
