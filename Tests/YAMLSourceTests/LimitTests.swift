import Testing
@testable import YAMLSource

@Suite("Hostile input is one problem, at its place, at no cost")
struct LimitTests {
  private func problems(_ text: String, _ change: (inout YAMLLimits) -> Void = { _ in })
    -> [YAMLProblem]
  {
    var limits = YAMLLimits()
    change(&limits)
    return YAMLReader.read(SourceText(text), limits: limits).problems
  }

  @Test func `64 levels are read and the 65th isn't`() {
    let good = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(problems(good).isEmpty)
    let deep = String(repeating: "[", count: 100_000)
    #expect(problems(deep) == [YAMLProblem(kind: .depthLimit(64), range: ByteRange(64, 65))])
    let blocks = String(repeating: "- ", count: 65) + "x"
    #expect(problems(blocks).map(\.kind) == [.depthLimit(64)])
  }

  @Test func `a text of 1 MiB is read and a longer one isn't`() {
    let limit = 1 << 20
    #expect(problems("a: " + String(repeating: "x", count: limit)).isEmpty)
    let long = problems("a: b\nc: " + String(repeating: "x", count: limit + 1))
    #expect(long == [YAMLProblem(kind: .scalarLimit(bytes: limit), range: ByteRange(8, 9))])
  }

  @Test(arguments: ["", "\"", "'", "? ", "!", "&"])
  func `a text of 10 MB isn't even scanned to its end`(lead: String) {
    let found = problems("a: b\n" + lead + String(repeating: "x", count: 10_000_000) + ": c\n")
    #expect(found.map(\.kind) == [.scalarLimit(bytes: 1 << 20)])
  }

  @Test func `a long comment is no long text`() {
    let comment = String(repeating: "# nothing here\n", count: 200_000)
    #expect(problems("a: b\n\(comment)c: d\n#\(String(repeating: "-", count: 3_000_000))").isEmpty)
  }

  @Test func `a file over the limit isn't read`() {
    let found = problems("a: bcdef") { $0.fileBytes = 5 }
    #expect(found == [YAMLProblem(kind: .fileLimit(bytes: 5), range: ByteRange(0, 0))])
  }

  @Test func `aliases may stand for a hundred times what is there, and no more`() {
    var bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
    for (name, inner) in zip("bcdefghi", "abcdefgh") {
      bomb += "\(name): &\(name) [" + Array(repeating: "*\(inner)", count: 9).joined(separator: ",")
      bomb += "]\n"
    }
    #expect(problems(bomb).map(\.kind) == [.aliasLimit(factor: 100)])
    let modest = "a: &a [x, x, x]\nb: [" + String(repeating: "*a, ", count: 1000) + "]\n"
    #expect(problems(modest).isEmpty)
  }

  @Test func `a document over its alias budget has no root`() {
    let tree = YAMLReader.read(
      SourceText("a: &a [x]\nb: [*a, *a]\n"), limits: limits { $0.aliasFactor = 0 })
    #expect(tree.documents.map(\.root) == [nil])
    #expect(tree.documents.map(\.isComplete) == [false])
  }

  private func limits(_ change: (inout YAMLLimits) -> Void) -> YAMLLimits {
    var limits = YAMLLimits()
    change(&limits)
    return limits
  }

  @Test func `an alias inside its own anchor is no loop`() {
    #expect(problems("a: &a {b: [*a]}\n").map(\.kind) == [.selfReference(name: "a")])
  }

  @Test func `an alias that nothing names lists what could be meant`() {
    #expect(
      problems("a: &one x\nb: &two y\nc: *tow\n").map(\.kind)
        == [.undefinedAlias(name: "tow", known: ["one", "two"])])
  }
}
