import JobManifest
import Testing
import YAMLSource

@Suite("What is read beside is told like what is read alone")
struct ReadingBesideTests {
  /// How far the other thread comes.
  enum Pace: CaseIterable {
    /// It reads all before anybody asks.
    case ahead
    /// It starts when all has been read.
    case behind
  }

  private func loader(_ pace: Pace) -> ManifestLoader {
    var environment = TestMachine.environment
    environment.beside = { work in
      switch pace {
      case .ahead:
        work()
        return {}
      case .behind:
        return work
      }
    }
    return ManifestLoader(environment: environment)
  }

  private func text(_ set: LoadedSet) -> String {
    let renderer = DiagnosticRenderer(set)
    return renderer.text() + renderer.summary
  }

  private func job(_ number: Int, _ extra: String = "") -> String {
    "  - identifier: com.example.job\(number)\n    command: [\"true\"]\n\(extra)"
  }

  @Test(arguments: Pace.allCases)
  func `many sources, one identifier in two of them and a mistake in some`(pace: Pace) {
    let sources = (0..<100).map { number in
      TestMachine.source(
        "version: 1\njobs:\n"
          + job(number % 99, number % 10 == 0 ? "    timeLimit: 90\n" : ""), path: "\(number).yaml")
    }
    let expected = TestMachine.loader.check(sources: sources)
    #expect(expected.diagnostics.count == 11)
    #expect(text(loader(pace).check(sources: sources)) == text(expected))
  }

  @Test(arguments: Pace.allCases)
  func `one long source with mistakes at both ends and defaults behind the jobs`(pace: Pace) {
    var text = "version: 1\njobs:\n" + job(0, "    timeLimit: 90\n")
    for number in 1..<5000 { text += job(number) }
    text += job(0) + "defaults:\n  network: yes\n  tolerance: 5m\n"
    let source = TestMachine.source(text)
    let expected = TestMachine.loader.check(sources: [source])
    #expect(expected.jobCount == 5001)
    #expect(expected.diagnostics.count > 2)
    // Who comes too late finds no piece left.
    #expect(self.text(loader(pace).check(sources: [source])) == self.text(expected))
  }
}
