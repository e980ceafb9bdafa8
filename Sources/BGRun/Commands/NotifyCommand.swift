import JobModel
import LinuxSystem

/// `bgrun notify`: what a running command tells of itself (manifest.md, "What a command gets").
enum NotifyCommand {
  private static let progress = Option(
    "--progress", "DONE/TOTAL", .progress, "How much of the work is done, such as 3/10.")
  private static let title = Option(
    "--title", "TEXT", .text, "What the task is called from now on.")
  private static let status = Option(
    "--status", "TEXT", .text, "What it is doing; shown as the subtitle.")
  private static let receiptLimit = Duration.seconds(5)
  private static let extend = Option(
    "--extend", "DURATION", .duration,
    "Asks for that much more time, counted from now: of the time limit, or for continued "
      + "processing of the time without progress. Repeat it while it is needed.")

  static let command = Command(
    "notify", summary: "tell progress, title, status or a need for time, from inside a run",
    discussion: [
      "For the commands of a manifest: sends to $NOTIFY_SOCKET, where the runner listens, in the "
        + "sd_notify protocol. Outside a run there is nobody to tell, and it says so."
    ],
    options: [progress, title, status, extend],
    examples: [
      .init("bgrun notify --progress 3/10 --status 'Packing photos'", "A progress bar moves."),
      .init("bgrun notify --extend 5m", "The time limit is at least five minutes away."),
    ],
    exitCodes: [
      (.done, "The runner has been told."),
      (.notDone, "Nothing to tell was given, or nobody listens."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    var fields: [(name: String, value: String)] = []
    if let text = invocation.arguments.text(progress) { fields.append(("X_BGRUN_PROGRESS", text)) }
    if let text = invocation.arguments.text(title) { fields.append(("X_BGRUN_TITLE", text)) }
    if let text = invocation.arguments.text(status) { fields.append(("STATUS", text)) }
    if let time = invocation.arguments.duration(extend) {
      fields.append(("EXTEND_TIMEOUT_USEC", "\(time.microseconds)"))
    }
    guard !fields.isEmpty else {
      throw .usage(
        UsageError(
          "'notify' needs something to tell: --progress, --title, --status or --extend",
          command: "notify"))
    }
    for (name, value) in fields where value.contains("\n") {
      throw .notDone("the text for \(name) holds a line break, which the protocol can't carry")
    }
    guard let notifier = ServiceNotifier(environment: invocation.context.environment) else {
      throw .notDone(
        "nobody listens: NOTIFY_SOCKET isn't set",
        advice: "'bgrun notify' is for commands that a runner has started.")
    }
    do {
      try notifier.deliver(fields.map { "\($0.name)=\($0.value)\n" }.joined())
      // The runner asks the kernel who sent it, which only works while this process lives.
      try notifier.waitUntilReceived(atMost: receiptLimit)
    } catch {
      throw .notDone("can't tell the runner: \(error)")
    }
    return .done
  }
}
