import Testing
@testable import YAMLSource

@Suite("A key stands once in a mapping")
struct DuplicateKeyTests {
  private func duplicates(_ text: String) -> [YAMLProblem] {
    YAMLReader.read(SourceText(text)).problems
  }

  @Test func `the second use is reported with the first`() {
    #expect(
      duplicates("a: 1\nb: 2\na: 3\n") == [
        YAMLProblem(
          kind: .duplicateKey(name: "a", first: ByteRange(0, 1)), range: ByteRange(10, 11))
      ])
  }

  @Test(arguments: ["{a: 1, 'a': 2}", "{a: 1, \"\\x61\": 2}", "{a: 1, ? a : 2}"])
  func `quotes and escapes don't make another key`(text: String) {
    #expect(duplicates(text).count == 1)
  }

  @Test func `an alias as key is the text that it stands for`() {
    #expect(duplicates("x: &k a\na: 1\n*k : 2\n").count == 1)
  }

  @Test func `mappings are told apart`() {
    #expect(duplicates("a: {a: 1, b: {a: 2}}\nb: [{a: 1}, {a: 2}]\n").isEmpty)
  }

  @Test func `many keys are compared by a table, and none is missed`() {
    let keys = (0..<5000).map { "key-\($0): \($0)\n" }.joined()
    #expect(duplicates(keys).isEmpty)
    let found = duplicates(keys + "key-7: x\nkey-4321: x\n")
    #expect(found.count == 2)
    #expect(found.first?.kind == .duplicateKey(name: "key-7", first: ByteRange(63, 68)))
  }

  @Test func `a mapping behind a large one starts afresh`() {
    let keys = (0..<100).map { "  k\($0): x\n" }.joined()
    #expect(duplicates("a:\n\(keys)b:\n\(keys)").isEmpty)
  }
}
