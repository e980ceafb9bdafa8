import BGRun
import Glibc
import LinuxSystem
import Testing

/// Each page of help stands as a file in `Fixtures/Help`; `BGRUN_RECORD=1 swift test` writes them
/// anew, and fails, so that nobody records by accident.
@Suite("Help is what the table says")
struct HelpTests {
  private static let folder =
    String(#filePath.dropLast("HelpTests.swift".count)) + "Fixtures/Help"

  private func compare(_ text: String, with name: String) throws {
    let path = "\(Self.folder)/\(name).txt"
    if getenv("BGRUN_RECORD") != nil {
      try Files.write(Array(text.utf8), to: path, permissions: 0o644)
      Issue.record("recorded \(name).txt")
    }
    #expect(text == (try Files.text(path)))
  }

  @Test func `the overview lists every command`() throws {
    let text = HelpPage(commands: CommandTable.commands).overview
    for command in CommandTable.commands { #expect(text.contains("  \(command.name) ")) }
    try compare(text, with: "overview")
  }

  @Test(arguments: CommandTable.commands.map(\.name))
  func `each command's page is as recorded`(name: String) throws {
    let bench = try Bench()
    let outcome = bench.run(name, "--help")
    #expect(outcome.code == .done)
    #expect(outcome == bench.run("help", name))
    try compare(outcome.output, with: name)
  }

  @Test func `no page is wider than a terminal of 80 columns`() throws {
    for command in CommandTable.commands {
      let page = HelpPage(commands: CommandTable.commands).page(of: command)
      for line in page.split(separator: "\n") {
        #expect(line.unicodeScalars.count <= 80, "in the page of \(command.name)")
      }
    }
  }

  @Test func `every page recorded belongs to a command`() throws {
    let names = CommandTable.commands.map { "\($0.name).txt" } + ["overview.txt"]
    #expect(try Files.list(Self.folder) == names.sorted())
  }

  @Test func `every command declares what its exit codes mean, and gives an example`() {
    for command in CommandTable.commands {
      #expect(command.exitCodes.first?.code == .done, "\(command.name)")
      #expect(command.exitCodes.contains { $0.code == .notDone }, "\(command.name)")
      #expect(!command.examples.isEmpty, "\(command.name)")
    }
  }
}
