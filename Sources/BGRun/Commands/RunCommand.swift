import JobModel

/// `bgrun run`: runs the jobs of manifests; `RunExecution` does the work.
enum RunCommand {
  static let paths = Argument(
    "PATH", .path, .repeated,
    "Manifests, or folders of manifests: together they are one job set. Otherwise $BGRUN_MANIFEST, "
      + "or the first that exists of ./jobs, $XDG_CONFIG_HOME/bgrun/jobs and /etc/bgrun/jobs.")
  static let once = Option(
    flag: "--once", "Run what is due and may start, then end; what waits is named with its gate.")
  static let drain = Option(
    flag: "--drain",
    "As --once, and wait for the requests that are pending and their retries, but not for the "
      + "instants of schedules that are still to come.")
  static let logFormat = Option(
    "--log-format", "FORMAT", .choice(["text", "json"]),
    "One line for each event, as text or JSON. Otherwise a terminal shows live progress, and "
      + "anything else gets text.")

  static let command = Command(
    "run", summary: "run the jobs of a manifest as they become due",
    discussion: [
      "Checks the manifests, then starts each job when it is due and its conditions are met, warns "
        + "it at its time limit or when a condition is lost, and ends it. Goes on until SIGTERM or "
        + "Ctrl-C; a second signal ends what runs at once. A changed manifest, or SIGHUP, reloads.",
      "A manifest with errors runs nothing. Several runners may share a store.",
    ],
    arguments: [paths],
    options: [once, drain, .job, .now, logFormat, .state],
    examples: [
      .init("bgrun run", "Runs until it is stopped."),
      .init("bgrun run jobs --once", "What is due now, then exits; as a cron job or in CI."),
      .init(
        "bgrun run --now com.example.backup --once",
        "This one job at once, passing its unmet gates by, and exits when it has ended."),
    ],
    exitCodes: [
      (.done, "Stopped by SIGTERM, or everything that --once or --drain ran has succeeded."),
      (.findings, "The manifest has errors, or a run of --once or --drain failed."),
      (.notDone, "It could not start, or --now was refused."),
      (.interrupted, "Stopped by Ctrl-C."),
    ]
  ) { invocation throws(CommandFailure) in try RunExecution(invocation: invocation).perform() }
}

extension Option {
  static let job = Option(
    "--job", "ID", .identifier, isRepeatable: true, "Only this job; may be repeated.")
  static let now = Option(
    "--now", "ID", .identifier, isRepeatable: true,
    "Start this job at once: its unmet gates are printed and passed by. May be repeated.")
}
