import JobModel
import Runner

/// `bgrun start`: a person's wish, followed to its end (CP1, CP5).
enum StartCommand {
  private static let identifier = Argument("ID", .identifier, .required, "The job.")

  static let command = Command(
    "start", summary: "start a job as a user action and follow it with its progress",
    discussion: [
      "Submits a request as a person's wish and shows what it waits for, its title and progress, and "
        + "how it ends. On a terminal Ctrl-C asks whether to stop the task; without an answer, or from "
        + "a script, the task goes on without you. 'bgrun attach' follows it again.",
      "While you follow a continued task on a terminal it is in the foreground: it has its full "
        + "priority, and when it makes no progress for progress.stallAfter you are asked whether to wait. "
        + "When nobody does, it goes on behind other work, where the system lets bgrun take that back, "
        + "and expires when it stalls.",
      "The task runs in the runner. When none is alive the request is kept: on a terminal 'start' "
        + "waits for one, from a script it ends with exit code 2.",
    ],
    arguments: [identifier],
    options: [.key, .with, .manifest, .state],
    examples: [
      .init("bgrun start com.example.export.photos", "The export, with a progress bar."),
      .init(
        "bgrun start com.example.archive --with folder=/srv/mail", "With a parameter of its own."),
    ],
    exitCodes: [
      (.done, "The task succeeded."),
      (.findings, "The task ended in another way."),
      (.notDone, "It was refused, no manifest was found, or no runner is alive to run it."),
      (.interrupted, "Ctrl-C left or stopped it."),
    ],
    perform: run)

  private static func run(_ invocation: Invocation) throws(CommandFailure) -> ExitCode {
    let workplace = try Workplace.forActing(invocation)
    let identifier = JobIdentifier(invocation.arguments.text(identifier) ?? "")
    let stored = try Submitting(workplace, invocation).store(identifier, isUserInitiated: true)
    let task = FollowedTask(
      identifier: identifier,
      target: .request(
        stored.id, key: stored.submission.key, submittedAt: stored.submission.submittedAt))
    var following = try TaskFollowing(task, workplace, invocation)
    return try following.follow()
  }
}
