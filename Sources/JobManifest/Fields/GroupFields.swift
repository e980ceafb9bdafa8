import JobModel

/// The keys of the mappings inside a job.
enum GroupFields {
  static let schedule: [Field] = [
    Field(
      .every, "every", .duration(from: .seconds(1)), mayBeDefault: true,
      "The time from one instant to the next.", example: "schedule: {every: 15m}",
      borrowed: ["interval", "period", "onunitactivesec", "startinterval", "repeat"]),
    Field(
      .cron, "cron", .cron, mayBeDefault: true,
      "The minutes at which the job recurs, in five fields.",
      example: "schedule: {cron: \"0 3 * * *\"}",
      borrowed: ["oncalendar", "expression", "crontab", "at", "calendar"]),
    Field(
      .timeZone, "timeZone", .timeZone, mayBeDefault: true, builtIn: "the system's",
      "The time zone of the cron expression.",
      example: "schedule: {cron: \"0 3 * * *\", timeZone: Europe/Madrid}",
      borrowed: ["tz", "zone", "timezone", "cron_tz"]),
    Field(
      .catchUp, "catchUp",
      .word([
        ValueType.Word("latest", borrowed: ["true", "yes", "last", "one", "once"]),
        ValueType.Word("all", borrowed: ["every", "each"]),
        ValueType.Word("none", borrowed: ["false", "no", "never", "skip"]),
      ]), mayBeDefault: true, builtIn: "latest",
      "What becomes of instants that were missed.",
      example: "schedule: {every: 1h, catchUp: none}",
      borrowed: ["persistent", "misfire", "missed", "catchup", "startwhenavailable", "coalesce"]),
    Field(
      .catchUpLimit, "catchUpLimit", .integer(1...10_000), mayBeDefault: true, builtIn: "100",
      "The most missed instants that catchUp: all runs.",
      example: "schedule: {every: 1h, catchUp: all, catchUpLimit: 24}"),
    Field(
      .randomDelay, "randomDelay", .duration(), mayBeDefault: true, builtIn: "0s",
      "The bound of a delay that differs between machines and stays the same on each.",
      example: "schedule: {every: 1d, randomDelay: 1h}",
      borrowed: ["randomizeddelaysec", "jitter", "splay", "random"]),
    Field(
      .startWithin, "startWithin", .duration(from: .milliseconds(1)), mayBeDefault: true,
      "An instant that can't start within this time is skipped.",
      example: "schedule: {cron: \"0 3 * * *\", startWithin: 2h}",
      borrowed: ["startingdeadlineseconds", "misfiregracetime", "expires"]),
  ]

  static let retry: [Field] = [
    Field(
      .maxAttempts, "maxAttempts", .integer(1...100), mayBeDefault: true, builtIn: "1",
      "How often a request is tried in all.", example: "retry: {maxAttempts: 3}",
      borrowed: ["attempts", "retries", "max_attempts", "limit", "count", "maxretries"]),
    Field(
      .backoff, "backoff",
      .word([
        ValueType.Word("constant", borrowed: ["fixed", "none"]),
        ValueType.Word("linear"),
        ValueType.Word("exponential", borrowed: ["exp"]),
      ]), mayBeDefault: true, builtIn: "exponential", "How the delays grow.",
      example: "retry: {maxAttempts: 3, backoff: linear}", borrowed: ["policy", "strategy"]),
    Field(
      .initialDelay, "initialDelay", .duration(), mayBeDefault: true, builtIn: "30s",
      "The delay before the second attempt.",
      example: "retry: {maxAttempts: 3, initialDelay: 1m}",
      borrowed: ["delay", "initialbackoff", "wait", "restartsec", "retrydelay"]),
    Field(
      .maxDelay, "maxDelay", .duration(), mayBeDefault: true, builtIn: "5h",
      "The longest delay between attempts.",
      example: "retry: {maxAttempts: 9, maxDelay: 1h}", borrowed: ["maxbackoff", "maxinterval"]),
    Field(
      .jitter, "jitter", .boolean, mayBeDefault: true, builtIn: "true",
      "Whether each delay is shortened by a factor of its own, at most by half.",
      example: "retry: {maxAttempts: 3, jitter: false}", borrowed: ["random", "randomize"]),
  ]

  static let progress: [Field] = [
    Field(
      .stallAfter, "stallAfter", .duration(from: .milliseconds(1)), builtIn: "30s",
      "How long the task may go without progress before it expires.",
      example: "progress: {stallAfter: 30s}", borrowed: ["timeout", "stalltimeout", "deadline"])
  ]

  static let output: [Field] = [
    Field(
      .maxSize, "maxSize", .size, mayBeDefault: true, builtIn: "1MiB",
      "How much output of one run is kept.", example: "output: {maxSize: 1MiB}",
      borrowed: ["size", "limit", "max-size", "maxbytes"]),
    Field(
      .keep, "keep", .integer(1...Int.max), mayBeDefault: true, builtIn: "20",
      "The output of how many runs is kept.", example: "output: {keep: 20}",
      borrowed: ["maxfiles", "max-file", "rotate", "count", "runs"]),
  ]

  static let freeSpace: [Field] = [
    Field(
      .freeSpacePath, "path", .path, mayBeDefault: true, builtIn: "the state directory",
      "A path on the file system that needs the space.",
      example: "minimumFreeSpace: {path: /srv, size: 10GB}",
      borrowed: ["mount", "filesystem", "dir", "directory", "volume"]),
    Field(
      .freeSpaceSize, "size", .size, mayBeDefault: true, "The free space that the job waits for.",
      example: "minimumFreeSpace: {path: /srv, size: 10GB}", borrowed: ["free", "bytes", "min"]),
  ]
}
