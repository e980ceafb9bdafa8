import JobModel
import LinuxSystem

/// `bgrun logs`: the captured output of a run.
enum LogsCommand {
  private static let target = Argument(
    "ID|RUN", .identifierOrRun, .required, "The job, for its newest run, or the number of a run.")
  private static let follow = Option(
    flag: "--follow", "Go on with what is written, until the run has ended.")

  static let command = Command(
    "logs", summary: "the captured output of a run",
    discussion: [
      "Prints what the run wrote to its standard output and standard error, as it wrote it. The first "
        + "lines on standard error name the store that is read and the run."
    ],
    arguments: [target],
    options: [follow, .manifest, .state],
    examples: [
      .init("bgrun logs com.example.backup", "The output of the newest run."),
      .init("bgrun logs 42 --follow", "The output of run 42 while it goes on."),
    ],
    exitCodes: [
      (.done, "The output was shown, even if it is empty."),
      (.notDone, "There is no such run or its output isn't kept, or no store was found."),
      (.interrupted, "Ctrl-C ended --follow."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forReading(invocation)
    let text = invocation.arguments.text(target) ?? ""
    let found: FoundRun
    if let number = Int64(text) {
      found = try workplace.run(RunNumber(number))
    } else {
      let identifier = JobIdentifier(text)
      try workplace.requireKnown(identifier)
      guard let newest = try workplace.newestRun(of: identifier) else {
        throw .notDone("'\(identifier)' has not run yet")
      }
      found = newest
    }
    guard let number = found.number else {
      throw .fault("a run without a number was found for '\(text)'")
    }
    let state = found.isLive ? "running" : "ended"
    invocation.context.errors.writeLine("Run \(number) of \(found.identifier), \(state)")
    let path = path(of: found, number, in: workplace)
    guard found.isLive, invocation.arguments.contains(follow) else {
      if let log = try open(path, number) {
        try copy(log, to: invocation.context.output)
      } else if !found.isLive {
        throw .notDone(
          "there is no output of run \(number): it wrote none, or it isn't kept any more (\(path))",
          advice: "'output: {keep: N}' in the manifest says of how many runs it is.")
      }
      return .done
    }
    return try follow(path, number, found.identifier, workplace, invocation)
  }

  private static func path(
    of found: FoundRun, _ number: RunNumber, in workplace: Workplace
  ) -> String {
    if case .ended(let row) = found, let output = row.output {
      return "\(workplace.folder)/\(output)"
    }
    return LogFile.path(of: number, found.identifier, in: workplace.folder)
  }

  /// - Returns: nil where there is no file: it is made when a run says its first word.
  private static func open(
    _ path: String, _ number: RunNumber
  ) throws(CommandFailure) -> FileTail? {
    do {
      return try FileTail(path)
    } catch  where error.isAbsence {
      return nil
    } catch {
      throw .notDone("can't read the output of run \(number), \(path): \(error.reason)")
    }
  }

  private static func copy(_ log: FileTail, to output: TextSink) throws(CommandFailure) {
    do {
      while case let bytes = try log.next(), !bytes.isEmpty { output.write(bytes: bytes) }
    } catch {
      throw .notDone("can't read \(error.subject): \(error.reason)")
    }
    output.flush()
  }

  private static func follow(
    _ path: String, _ number: RunNumber, _ identifier: JobIdentifier, _ workplace: Workplace,
    _ invocation: Invocation
  ) throws(CommandFailure) -> ExitCode {
    let output = invocation.context.output
    let task = FollowedTask(identifier: identifier, target: .run(number))
    let happenings = try Happenings(
      watchingTimesOf: workplace.changingFiles, in: invocation.context)
    var log: FileTail?
    var watched = ""
    while true {
      // The standing first: what was written before the end is then all copied.
      let standing = try task.standing(in: workplace)
      let nearest = LogFile.nearestExisting(path)
      guard nearest == watched else {
        watched = nearest
        try happenings.watch(nearest)
        // What came before the watch is seen by another look.
        continue
      }
      if log == nil { log = try open(path, number) }
      if let log { try copy(log, to: output) }
      guard case .running = standing, output.failure == nil else { return .done }
      switch try happenings.next(waitingAtMost: Happenings.lookInterval) {
      case .interrupted: return .interrupted
      case .suspended: Suspension.stopThisProcess()
      case .changed, .elapsed, .typed: break
      }
    }
  }
}
