import BGRun
import Testing

@Suite("Completions come from the table of commands")
struct CompletionScriptTests {
  @Test(arguments: ["bash", "zsh", "fish"])
  func `every command and every option is in the script`(shell: String) throws {
    let outcome = try Bench().run("completions", shell)
    #expect(outcome.code == .done)
    for command in CommandTable.commands {
      #expect(outcome.output.contains(command.name))
      for option in command.options {
        let name = shell == "fish" ? "-l \(option.name.dropFirst(2))" : option.name
        #expect(outcome.output.contains(name), "\(command.name) \(option.name)")
      }
    }
  }

  @Test func `an unknown shell is refused with those that there are`() throws {
    let outcome = try Bench().run("completions", "tcsh")
    #expect(outcome.code == .notDone)
    #expect(outcome.errors.contains("bash, zsh or fish"))
  }
}
