import BGRun
import JobModel
import Testing

@Suite("The command line is read by the table")
struct CommandLineParserTests {
  private static let limit = Option("--limit", "N", .count(1...Int.max), "At most N rows.")
  private static let extend = Option("--extend", "DURATION", .duration, "More time.")
  private static let progress = Option("--progress", "D/T", .progress, "How far.")
  private static let job = Option("--job", "ID", .identifier, isRepeatable: true, "Only these.")
  private static let format = Option("--format", "FORMAT", .choice(["text", "json"]), "As what.")
  private static let identifier = Argument("ID", .identifier, .required, "the job.")
  private static let paths = Argument("PATH", .path, .repeated, "The files.")

  private static let parser = CommandLineParser(commands: [
    Command(
      "history", summary: "past runs", arguments: [identifier, paths],
      options: [limit, extend, progress, job, format, .with, .json], exitCodes: []
    ) { _ in .done },
    Command("status", summary: "now", options: [.json], exitCodes: []) { _ in .done },
  ])

  private func read(_ line: String...) throws -> ParsedArguments {
    guard case .perform(_, let arguments) = try Self.parser.parse(["history"] + line) else {
      throw UsageError("not a command")
    }
    return arguments
  }

  private func refusal(_ line: [String]) -> UsageError? {
    do {
      _ = try Self.parser.parse(line)
      return nil
    } catch {
      return error
    }
  }

  @Test func `takes a value behind the option, or behind an equals sign`() throws {
    #expect(try read("a.b", "--limit", "3").count(Self.limit) == 3)
    #expect(try read("--limit=3", "a.b").count(Self.limit) == 3)
    #expect(try read("a.b", "--extend", "1h30m").duration(Self.extend) == .seconds(5400))
    #expect(try read("a.b", "--progress", "3/4").text(Self.progress) == "3/4")
  }

  @Test func `keeps the values of a repeatable option in order`() throws {
    #expect(try read("a.b", "--job", "x.y", "--job=z.w").texts(Self.job) == ["x.y", "z.w"])
  }

  @Test func `takes everything behind two hyphens as arguments`() throws {
    #expect(try read("a.b", "--", "--json", "-").texts(Self.paths) == ["--json", "-"])
  }

  @Test func `takes a single hyphen as an argument`() throws {
    #expect(try read("a.b", "-").texts(Self.paths) == ["-"])
  }

  @Test func `reads a parameter's value as JSON where it is JSON, otherwise as text`() throws {
    let parameters = try read(
      "a.b", "--with", "count=3", "--with", "name=three", "--with", "list=[1, true]",
      "--with", "empty=", "--with", "text=\"3\""
    ).parameters(.with)
    #expect(parameters.map(\.name) == ["count", "name", "list", "empty", "text"])
    #expect(
      parameters.map(\.value) == [
        .number("3"), .text("three"), .array([.number("1"), .bool(true)]), .text(""), .text("3"),
      ])
  }

  @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "--help"]])
  func `shows the overview when it is asked for help`(line: [String]) throws {
    guard case .help(nil) = try Self.parser.parse(line) else {
      Issue.record("not the overview")
      return
    }
  }

  @Test(arguments: [
    ["help", "status"], ["status", "--help"], ["status", "-h"], ["status", "--json", "--help"],
  ])
  func `shows a command's help however it is asked for`(line: [String]) throws {
    guard case .help(let command?) = try Self.parser.parse(line) else {
      Issue.record("not a command's help")
      return
    }
    #expect(command.name == "status")
  }

  @Test func `gives the version`() throws {
    guard case .version = try Self.parser.parse(["--version"]) else {
      Issue.record("not the version")
      return
    }
  }

  @Test(
    arguments: [
      (["histroy"], "unknown command 'histroy'", "history"),
      (["zzz"], "unknown command 'zzz'", nil),
      (["help", "statsu"], "unknown command 'statsu'", "status"),
      (["--verison"], "unknown option '--verison'", "--version"),
      (["--json"], "the option '--json' stands behind the command: bgrun COMMAND --json", nil),
      (["status", "--jsn"], "'status' has no option '--jsn'", "--json"),
      (["status", "-j"], "'status' has no option '-j'", nil),
      (["status", "--json=yes"], "the option '--json' takes no value", nil),
      (["status", "--json", "--json"], "the option '--json' is given twice", nil),
      (["status", "x"], "'status' takes no arguments, but was given 'x'", nil),
      (["history"], "'history' needs ID: the job.", nil),
      (["history", "a.b", "--limit"], "the option '--limit' needs a value: --limit N", nil),
      (
        ["history", "a.b", "--limit", "--json"], "the option '--limit' needs a value: --limit N",
        nil
      ),
      (["history", "a.b", "--limit", "0"], "'--limit' is a whole number from 1, not '0'", nil),
      (["history", "a.b", "--limit", "x"], "'--limit' is a whole number from 1, not 'x'", nil),
      (["history", "a.b", "--format", "jsom"], "'--format' is text or json, not 'jsom'", "json"),
      (
        ["history", "a.b", "--extend", "90"],
        "'--extend' is '90', but a duration needs a unit: ms, s, m, h or d", "90s"
      ),
      (["history", "a.b", "--with", "count"], "'--with' needs NAME=VALUE, not 'count'", nil),
      (["history", "a.b", "--with", "=3"], "'--with' needs NAME=VALUE, not '=3'", nil),
      (
        ["history", "a.b", "--progress", "4/3"],
        "'--progress' is DONE/TOTAL with 0 ≤ DONE ≤ TOTAL, such as 3/10, not '4/3'", nil
      ),
      (
        ["history", "a.b", "--progress", "nan/3"],
        "'--progress' is DONE/TOTAL with 0 ≤ DONE ≤ TOTAL, such as 3/10, not 'nan/3'", nil
      ),
      (["history", ""], "ID is empty: it needs an identifier", nil),
      ([], "which command?", nil),
    ] as [([String], String, String?)])
  func `refuses what the table doesn't know, with the nearest spelling`(
    line: [String], problem: String, suggestion: String?
  ) {
    let error = refusal(line)
    #expect(error?.problem == problem)
    #expect(error?.suggestion == suggestion)
  }
}
