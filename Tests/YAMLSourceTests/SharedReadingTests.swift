import Glibc
import Synchronization
import Testing

@testable import YAMLSource

@Suite("A source that is read from both ends is the same tree")
struct SharedReadingTests {
  /// Everything that a tree holds, as text.
  private func contents(of tree: YAMLTree) -> [String] {
    let nodes = (0..<tree.arena.count).map { index in
      let node = YAMLNode(index: index)
      let tag = tree.tag(of: node) ?? ""
      return
        "\(tree.arena[index]) \(tree.text(of: node)) \(tag) \(tree.anchorRange(of: node) as Any)"
    }
    return nodes + tree.documents.map { "\($0)" } + tree.problems.map { "\($0)" }
      + ["\(tree.cut as Any)"]
  }

  /// The tree of a source of which the other thread reads all pieces first, or finds none left.
  private func shared(_ source: SourceText, _ cuts: [ListCut], isAhead: Bool = true) -> YAMLTree? {
    SharedReading.tree(of: source, limits: YAMLLimits(), cuts: cuts) { work in
      guard isAhead else { return work }
      work()
      return {}
    }
  }

  /// How many cuts of a source give a tree, after comparing each of these trees, and those of all such
  /// cuts together, with the tree of the whole.
  private func cuts(_ source: SourceText) -> Int {
    guard source.defect == nil else { return 0 }
    let whole = contents(of: YAMLReader.read(source))
    let lines = source.bytes.indices[source.textStart...].filter { source.isLineStart($0) }
    let cuts = lines.compactMap { ListCut(line: $0, in: source) }.filter { cut in
      guard let tree = shared(source, [cut]) else { return false }
      #expect(contents(of: tree) == whole, "cut at \(cut) of \(source.text(in: .init(0, 60)))")
      return true
    }
    for isAhead in [true, false] where !cuts.isEmpty {
      #expect((shared(source, cuts, isAhead: isAhead).map(contents) ?? whole) == whole)
    }
    return cuts.count
  }

  @Test(arguments: [
    ("a: 1\njobs:\n  - x: 1\n  - x: 2\n  - x: 3\nb: [c]\n", 2),
    // All at once, a piece would hold the end of one list and the start of another.
    ("a:\n  - 1\n  - 2\njobs:\n  - 3\n  - 4\nb: 1\n", 2),
    ("a:\n  - 1\n  - 2\njobs:\n    - 3\n    - 4\n", 2),
    ("jobs:\n- x: 1\n  y:\n  - 1\n  - 2\n- x: 2\n", 1),
    ("jobs:\n  -\n  - |+\n    x\n\n  - \"y\\n\"\n  - é\n  - {k: 🚀}\n  - a\n   b\n  -", 5),
    ("jobs:\n  - ? a\n  - ? b\n  - - c\n    - d\n", 2),
    ("d: &d !!str x\njobs:\n  - 1\n  - 2\nlast: *d\nd: 2\n---\n- 1\n- 2\n", 1),
    ("\u{FEFF}jobs:\n  - a # x\n\n  # - y\n  - b\n...\n", 1),
    ("jobs:\r\n  - a: é\r\n  - b: 1\r\n", 1),
    ("jobs:\n  - a: 1\n    a: 2\n  - b: 1\n    b: 2\n", 1),
  ])
  func `cut in front of any item but the first`(text: String, count: Int) {
    #expect(cuts(SourceText(text)) == count)
  }

  @Test(arguments: [true, false])
  func `cut in front of all items but the first at once`(isAhead: Bool) throws {
    let source = SourceText(
      "jobs:\n" + String(repeating: "  - é: |\n      x\n", count: 9) + "b: 1\n")
    let cuts = source.bytes.indices.filter(source.isLineStart)
      .compactMap { ListCut(line: $0, in: source) }.dropFirst()
    #expect(cuts.count == 8)
    let tree = try #require(shared(source, Array(cuts), isAhead: isAhead))
    #expect(contents(of: tree) == contents(of: YAMLReader.read(source)))
  }

  @Test(arguments: [
    // In front of the item stands something else than the list.
    "text: |\n  - a\n  - b\njobs:\n  - c\n",
    "jobs: \"\n  - a\n  - b\"\n",
    "jobs: [\n  - a ,\n  - b]\n",
    "- a\n- b\n- c\n",
    "a: 1\n? - b\n  - c\n: d\n",
    "a:\n  b:\n    - c\n    - d\n",
    " jobs:\n  - a\n  - b\n",
    // What stands behind the cut needs what stands before it.
    "d: &d 1\njobs:\n  - 1\n  - *d\n",
    "%TAG ! tag:x,2000:\n---\njobs:\n  - 1\n  - 2\nlast: !x 1\n",
    "jobs:\n  - 1\n  - !!int 2\n",
    "jobs:\n  - 1\n  - &d 2\n",
    // Broken before the cut, behind it, and behind the list.
    "a: @\njobs:\n  - 1\n  - 2\n",
    "jobs:\n  - 1\n  - 2: [\n",
    "jobs:\n  - 1\n  - 2\nlast: @\n",
  ])
  func `not cut where the pieces may mean something else`(text: String) {
    #expect(cuts(SourceText(text)) == 0)
  }

  @Test func `manifests read the same, wherever they are cut`() throws {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    var count = 0
    for subfolder in ["single", "positions", "formats"] {
      let folder = "/\(tests)/JobManifestTests/Fixtures/\(subfolder)"
      let directory = try #require(opendir(folder))
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard name.hasSuffix(".yaml") else { continue }
        count += cuts(SourceText(bytes: try bytes(of: "\(folder)/\(name)")))
      }
    }
    #expect(count > 20)
  }

  private func bytes(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return bytes
  }

  @Test func `a long source is read beside, a short one and a defective one aren't`() {
    func isReadBeside(_ text: String) -> Bool {
      let started = Atomic(0)
      let tree = YAMLReader.read(SourceText(text)) { work in
        started.add(1, ordering: .relaxed)
        work()
        return {}
      }
      #expect(contents(of: tree) == contents(of: YAMLReader.read(SourceText(text))))
      return started.load(ordering: .relaxed) == 1
    }
    let job = "  - identifier: com.example\n    command:\n      - true\n"
    let long = "jobs:\n" + String(repeating: job, count: ListCut.leastBytes / job.utf8.count + 1)
    #expect(ListCut.cuts(of: SourceText(long)).count == 3)
    #expect(isReadBeside(long))
    #expect(isReadBeside(long + "  - [\n"))
    #expect(!isReadBeside("jobs:\n" + job + job))
    #expect(!isReadBeside(long + "\u{7}\n"))
  }
}
