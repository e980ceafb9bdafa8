import JobManifest
import Testing
import YAMLSource

/// What a program with handlers of its own adds to the check of its manifests.
@Suite("Parameters against the handlers of a program")
struct WrongParameterTests {
  private func findings(
    _ text: String, path: [String]
  ) -> [(line: Int, text: String)] {
    var environment = TestMachine.environment
    environment.parameterProblem = { handler, parameters in
      handler == "com.example.a"
        ? .init(path: path, sentence: "it got \(parameters)") : nil
    }
    let loaded = ManifestLoader(environment: environment).load(sources: [
      TestMachine.source("version: 1\njobs:\n" + text)
    ])
    return loaded.diagnostics.filter { $0.rule.name == "wrong-parameter" }.map { finding in
      let before = loaded.files[0].text.bytes[..<Int(finding.range.start)]
      return (before.count { $0 == UInt8(ascii: "\n") } + 1, finding.message)
    }
  }

  @Test(
    arguments: [
      ([], 6), (["colors"], 7), (["colors", "1"], 8), (["colors", "7"], 7), (["unknown"], 6),
    ] as [([String], Int)])
  func `the place is the value that the path leads to, as far as it leads`(
    path: [String], line: Int
  ) {
    let found = findings(
      """
      - identifier: com.example.a
        kind: processing
        with:
          colors:
            - red
            - blue
      """, path: path)
    #expect(found.map(\.line) == [line])
    #expect(found.first?.text == #"it got {"colors":["red","blue"]}"#)
  }

  @Test func `without parameters the place is the job's identifier`() {
    let found = findings("- identifier: com.example.a\n  kind: processing\n", path: [])
    #expect(found.map(\.line) == [3])
    #expect(found.map(\.text) == ["it got {}"])
  }

  @Test(arguments: [
    "- identifier: com.example.a\n  command: [true]\n",
    "- identifier: com.example.a\n  kind: processing\n  handler: com.example.b\n",
  ])
  func `a command and another handler aren't asked`(text: String) {
    #expect(findings(text, path: []).isEmpty)
  }
}
