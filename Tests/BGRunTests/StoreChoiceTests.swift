import BGRun
import LinuxSystem
import Testing

@Suite("Which store a command reads")
struct StoreChoiceTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
  }

  /// The store that `history` names.
  private func named(_ arguments: String...) -> String {
    bench.run(["history"] + arguments).errors
  }

  @Test func `--state goes before BGRUN_STATE, and that before STATE_DIRECTORY`() throws {
    for name in ["a", "b", "c"] { _ = try bench.openStore("\(bench.folder)/\(name)") }
    bench.environment["STATE_DIRECTORY"] = "\(bench.folder)/c:/elsewhere"
    #expect(named() == "Store: ~/c (empty)\n")
    bench.environment["BGRUN_STATE"] = "b"
    #expect(named() == "Store: ~/b (empty)\n")
    #expect(named("--state", "a") == "Store: ~/a (empty)\n")
  }

  @Test func `without any it is the only one under XDG_STATE_HOME`() throws {
    bench.environment["XDG_STATE_HOME"] = "\(bench.folder)/state"
    _ = try bench.openStore("\(bench.folder)/state/bgrun/com.example.app")
    #expect(named() == "Store: ~/state/bgrun/com.example.app (empty)\n")
  }

  @Test func `a relative XDG_STATE_HOME is ignored`() throws {
    bench.environment["XDG_STATE_HOME"] = "state"
    _ = try bench.openStore()
    #expect(named() == "Store: ~/.local/state/bgrun/default (empty)\n")
  }

  @Test func `several stores are listed, and none is read`() throws {
    _ = try bench.openStore()
    _ = try bench.openStore("\(bench.folder)/.local/state/bgrun/com.example.app")
    #expect(
      bench.run("history")
        == Bench.Outcome(
          code: .notDone, output: "",
          errors: """
            bgrun: there are several stores and no manifest that names one
            Name one with --state DIR:
              ~/.local/state/bgrun/com.example.app
              ~/.local/state/bgrun/default

            """))
  }

  @Test func `without a store and a manifest it says where it looked`() {
    #expect(
      bench.run("history")
        == Bench.Outcome(
          code: .notDone, output: "",
          errors: """
            bgrun: no manifest was found: there is none of jobs, ~/.config/bgrun/jobs, /etc/bgrun/jobs
            Name one with --manifest PATH.

            """))
  }

  @Test func `a state folder that isn't there is named, and not made`() {
    #expect(
      bench.run("history", "--state", "nowhere")
        == Bench.Outcome(
          code: .notDone, output: "", errors: "bgrun: there is no state folder ~/nowhere\n"))
    #expect(!Files.isFolder("\(bench.folder)/nowhere"))
  }
}
