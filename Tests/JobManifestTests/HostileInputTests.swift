import JobManifest
import JobModel
import Testing
import YAMLSource

@Suite("Nothing that a file holds makes the loader trap, hang or grow")
struct HostileInputTests {
  @Test(arguments: Fixtures.names(in: "single", ending: ".yaml").filter { $0 != "deep-10k" })
  func `bytes of a fixture changed or cut off give diagnostics or a job set`(name: String) {
    let original = Fixtures.bytes("single/\(name).yaml")
    let changes: [UInt8] = [0x00, 0xFF, 0x0A, 0x7B, 0x2A, 0x27]
    // Of a longer one so many places, spread evenly: what stands between is more of the same.
    let step = max(1, original.count / 120)
    for index in stride(from: 0, to: original.count, by: step) {
      var bytes = original
      bytes[index] = changes[index / step % changes.count]
      check(bytes)
      check(Array(original[..<index]))
    }
  }

  /// Lead bytes without their sequence, continuations without their lead, halves of every length.
  private static let broken: [[UInt8]] = [
    [0xEF], [0xEF, 0xBF], [0xE2, 0x82], [0xF0, 0x9F], [0xF0, 0x9F, 0x98], [0x80], [0xFF], [0xC0],
    [0xED, 0xA0, 0x80], [0xF4, 0x90], [0x61], [0xC3, 0xA9],
  ]

  @Test func `a line of broken characters is shown, each bad byte as one`() {
    for first in Self.broken {
      for second in Self.broken {
        for third in Self.broken {
          let line = first + second + third
          let text = Array("version: 1\nx-a: ".utf8)
          check(text + line)
          check(text + line + Array(" é\n".utf8))
        }
      }
    }
    let set = TestMachine.loader.check(sources: [
      ManifestSource(
        path: "x.yaml", folder: "/srv", bytes: Array("a: é".utf8) + [0xEF, 0xEF, 0xBF, 0x62, 0x80])
    ])
    let lines = DiagnosticRenderer(set).text().split(separator: "\n")
    #expect(lines.first == "x.yaml:1:5: error: byte 0xEF isn't UTF-8 [encoding]")
    #expect(lines.dropFirst(2).first == " 1 | a: é\u{FFFD}\u{FFFD}\u{FFFD}b\u{FFFD}")
    #expect(lines.dropFirst(3).first == "   |     ^ save the file as UTF-8")
  }

  private func check(_ bytes: [UInt8]) {
    let set = TestMachine.loader.load(sources: [
      ManifestSource(path: "x.yaml", folder: "/srv", bytes: bytes)
    ])
    #expect((set.jobSet == nil) == set.holds(.error))
    _ = DiagnosticRenderer(set).text()
    for diagnostic in set.diagnostics {
      #expect(Int(diagnostic.range.end) <= bytes.count * 3)
      #expect(diagnostic.notes.count <= 2)
    }
  }

  @Test(arguments: [
    ("alias bomb", "alias-limit"), ("brackets", "depth-limit"), ("NUL", "encoding"),
    ("broken UTF-8", "encoding"), ("10 MB key", "size-limit"),
  ])
  func `hostile input is one diagnostic`(kind: String, rule: String) {
    let bytes: [UInt8]
    switch kind {
    case "alias bomb": bytes = Fixtures.bytes("single/bomb.yaml")
    case "brackets": bytes = Array("jobs: ".utf8) + Array(repeating: 0x5B, count: 100_000)
    case "NUL": bytes = Array("version: 1\n".utf8) + Array(repeating: 0, count: 100_000)
    case "broken UTF-8": bytes = Array("version: 1\n".utf8) + Array(repeating: 0xFF, count: 100_000)
    default: bytes = Array(repeating: 0x61, count: 10_000_000) + Array(": b\n".utf8)
    }
    let set = TestMachine.loader.check(sources: [
      ManifestSource(path: "x.yaml", folder: "/srv", bytes: bytes)
    ])
    #expect(set.diagnostics.map(\.rule.name) == [rule])
    #expect(DiagnosticRenderer(set).text().utf8.count < 2000)
  }

  @Test func `a chain of waits as long as the set is no recursion`() {
    var text = "version: 1\njobs:\n"
    for number in 0..<20_000 {
      text += "  - identifier: com.example.j\(number)\n    command: [\"true\"]\n"
      text += "    afterSuccessOf: [com.example.j\((number + 1) % 20_000)]\n"
    }
    let set = TestMachine.loader.check(sources: [TestMachine.source(text)])
    #expect(set.diagnostics.map(\.rule.name) == ["dependency-cycle"])
  }
}
