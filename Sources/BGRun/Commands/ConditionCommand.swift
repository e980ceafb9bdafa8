import DeviceConditions
import JobModel
import LinuxSystem

/// `bgrun condition`: tells a runner what no kernel file and no service shows.
enum ConditionCommand {
  private static let action = Argument(
    "ACTION", .choice(["set", "clear"]), .required, "set tells a value, clear takes it back.")
  private static let name = Argument(
    "NAME", .choice(ToldCondition.vocabulary.map(\.name)), .required,
    "The condition, by its manifest key.")
  private static let value = Argument("VALUE", .text, .optional, "What it is now, for set.")
  private static let period = Option(
    "--for", "DURATION", .duration, "Counts that long; otherwise until it is cleared.")

  static let command = Command(
    "condition", summary: "tell a condition that nothing here shows, or take it back",
    discussion: [
      "For machines whose state nothing shows: a battery behind a GPIO pin, a UPS, a test. What is "
        + "told goes before every other source, and a running runner follows at once. It is kept in "
        + "the folder 'conditions' of the state directory, one small file for each name, which a "
        + "script may write itself; files in /run/bgrun/conditions count for every runner of the "
        + "machine. A second line 'until 2026-11-30T12:00:00Z' ends it."
    ],
    table: .init(
      "Conditions and their values",
      ToldCondition.vocabulary.map { ($0.name, "\($0.values): \($0.meaning)") }),
    arguments: [action, name, value],
    options: [period, .manifest, .state],
    examples: [
      .init(
        "bgrun condition set requiresExternalPower false --for 10m", "On battery, for a while."),
      .init(
        "bgrun condition clear requiresExternalPower", "The machine's own sources count again."),
    ],
    exitCodes: [
      (.done, "It is told, or taken back."),
      (
        .notDone,
        "The value isn't one, nothing was told that could be cleared, or no store was found."
      ),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let arguments = invocation.arguments
    let name = arguments.text(name) ?? ""
    let isSetting = arguments.text(action) == "set"
    switch (isSetting, arguments.text(value)) {
    case (true, let text?): try set(name, to: text, invocation)
    case (true, nil): throw usage("'condition set' needs a VALUE")
    case (false, nil) where !arguments.contains(period): try clear(name, invocation)
    case (false, _): throw usage("'condition clear' takes a NAME and nothing else")
    }
    return .done
  }

  private static func usage(_ problem: String) -> CommandFailure {
    .usage(UsageError(problem, command: "condition"))
  }

  private static func set(
    _ name: String, to text: String, _ invocation: Invocation
  ) throws(CommandFailure) {
    do throws(ToldCondition.Mistake) {
      _ = try ToldCondition(name, text)
    } catch {
      throw usage(error.sentence)
    }
    let workplace = try Workplace.forActing(invocation)
    let now = invocation.context.now().wall
    let until = invocation.arguments.duration(period).map { now + $0 }
    do throws(SystemError) {
      try ToldFolder.of(stateDirectory: workplace.folder).tell(name, text, until: until)
    } catch {
      throw .notDone("can't tell \(name): \(error)")
    }
    let end = until.map { "until \(invocation.instants.local($0))" } ?? "until it is cleared"
    invocation.context.output.writeLine("\(name) is told to be \(text), \(end).")
    if try !workplace.hasRunner() { invocation.context.errors.writeLine(Workplace.noRunner) }
  }

  private static func clear(
    _ name: String, _ invocation: Invocation
  ) throws(CommandFailure) {
    let workplace = try Workplace.forActing(invocation)
    let wasTold: Bool
    do throws(SystemError) {
      wasTold = try ToldFolder.of(stateDirectory: workplace.folder).clear(name)
    } catch {
      throw .notDone("can't clear \(name): \(error)")
    }
    guard wasTold else {
      throw .notDone("nothing is told of \(name) in \(workplace.folder)/conditions")
    }
    invocation.context.output.writeLine("\(name) is read from this machine's sources again.")
  }
}
