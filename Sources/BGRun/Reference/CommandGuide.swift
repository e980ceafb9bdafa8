/// What a command of a manifest is given and what its runner expects of it: a section of the manual.
enum CommandGuide {
  /// The environment of a run, beside what `environment` sets and what passes from the runner.
  static let variables = [
    ("BGRUN_IDENTIFIER", "The job's identifier."),
    ("BGRUN_KEY", "The key of the request; empty without one."),
    ("BGRUN_RUN_ID", "The number of the run, as in bgrun history."),
    ("BGRUN_ATTEMPT", "1 for the first attempt of a request, 2 for its first retry."),
    ("BGRUN_SCHEDULED_AT", "The instant that the run is for (RFC 3339)."),
    ("BGRUN_DEADLINE", "When the time limit is reached (RFC 3339); not set without a limit."),
    (
      "BGRUN_JOB_DIR",
      "A folder for this identifier and key, kept between runs: a place for checkpoints. Before a "
        + "warning its file 'reason' has the reason."
    ),
    ("BGRUN_WITH", "The job's parameters as JSON; not set without any."),
    (
      "NOTIFY_SOCKET",
      "Where progress, title, status and a need for time are told in the sd_notify protocol: bgrun "
        + "notify does so from scripts."
    ),
  ]

  static let paragraphs = [
    "Of the runner's environment only PATH, HOME, LANG, LC_*, TZ, USER, SHELL and TMPDIR pass to a "
      + "command, unless its job says so. Standard input is /dev/null. Standard output and standard "
      + "error go to the log of the run.",
    "The warning is SIGTERM to the command's process group. It may go on for the grace of its job; then "
      + "everything that it has started is killed. What is left behind by a command that ends by itself is "
      + "killed too.",
    "Exit status 0 is success, also after a warning; 75 (EX_TEMPFAIL) puts the request back for later "
      + "without using up an attempt; any other is a failure, which is retried as the job says.",
  ]
}
