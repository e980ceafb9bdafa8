import Foundation
import Testing

/// The scripts are asked what the shells themselves would ask, where a shell is installed.
@Suite("Completions work in the shells")
struct CompletionTests {
  static let shells = ["bash", "zsh", "fish"].filter { Shell.path(of: $0) != nil }

  private func ask(_ shell: String, before: String = "", _ question: String) throws -> String {
    let place = try Workplace()
    let script = try place.bgrun("completions", shell)
    #expect(script.status == 0)
    try place.write("script", before + script.output + question)
    let path = try #require(Shell.path(of: shell))
    let finished = try RunningProgram(
      [path, "\(place.folder)/script"],
      environment: ["HOME": place.folder, "PATH": Shell.folders.joined(separator: ":")],
      in: place.folder
    ).waitForEnd()
    #expect(finished.errors == "")
    return finished.output
  }

  @Test(arguments: [
    (["va"], "validate"), (["validate", "--str"], "--strict"),
    (["validate", "--format", "sa"], "sarif"), (["help", "hist"], "history"),
    (["completions", "z"], "zsh"), (["validate", "scr"], "script"),
  ])
  func `bash completes a word`(words: [String], completion: String) throws {
    let typed = (["bgrun"] + words).map { "'\($0)'" }.joined(separator: " ")
    // Outside a key press bash refuses compopt, which changes how a word is shown, not which.
    let question = """
      compopt() { :; }
      COMP_WORDS=(\(typed)); COMP_CWORD=\(words.count); _bgrun; printf '%s\\n' "${COMPREPLY[@]}"
      """
    #expect(try ask("bash", question) == completion + "\n")
  }

  @Test(.enabled(if: shells.contains("fish"), "fish isn't installed"))
  func `fish completes a word`() throws {
    let answer = try ask(
      "fish", "complete -C 'bgrun validate --format sa'\ncomplete -C 'bgrun vali'\n")
    #expect(answer.contains("sarif"))
    #expect(answer.contains("validate"))
  }

  @Test(.enabled(if: shells.contains("zsh"), "zsh isn't installed"))
  func `zsh takes the script as the completion of bgrun`() throws {
    let answer = try ask(
      "zsh", before: "autoload -U compinit; compinit -D -u\n", "print $_comps[bgrun]\n")
    #expect(answer == "_bgrun\n")
  }
}

/// The shells of this machine.
enum Shell {
  static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

  static func path(of name: String) -> String? {
    folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }
}
