import JobModel

/// The keys of a job, in the order of the reference.
enum JobFields {
  static let all = identity + action + conditions + timing + limits + continued + dependencies

  private static let identity: [Field] = [
    Field(
      .identifier, "identifier", .jobIdentifier,
      "The name under which the job is permitted, submitted and recorded.",
      example: "identifier: com.example.cleanup",
      borrowed: ["name", "id", "label", "jobname", "taskidentifier"]),
    Field(
      .kind, "kind",
      .word(
        JobKind.allCases.map { ValueType.Word($0.rawValue) }.withBorrowed([
          "appRefresh": ["refresh", "BGAppRefreshTask", "apprefreshtask"],
          "processing": ["batch", "background", "BGProcessingTask", "job", "cronjob"],
          "continuedProcessing": ["continued", "BGContinuedProcessingTask", "interactive"],
        ])), builtIn: "processing with command or shell, otherwise required",
      "Which lifecycle the job follows.",
      example: "kind: processing", borrowed: ["type", "tasktype"]),
    Field(
      .description, "description", .text, "Text for people, shown in the status.",
      example: "description: Compact the database at night",
      borrowed: ["desc", "summary", "comment", "displayname"]),
    Field(
      .enabled, "enabled", .boolean, builtIn: "true",
      "Whether the job is scheduled and may be submitted.", example: "enabled: false",
      borrowed: ["suspend", "suspended", "disabled", "disable", "active", "if"]),
  ]

  private static let action: [Field] = [
    Field(
      .handler, "handler", .name, builtIn: "the identifier",
      "The registered handler that runs.", example: "handler: com.example.cleanup",
      borrowed: ["launchhandler", "function", "class", "entrypoint"]),
    Field(
      .command, "command", .arguments,
      "A program and its arguments, run without a shell.",
      example: "command: [sqlite3, palettes.db, VACUUM]",
      borrowed: [
        "execstart", "exec", "program", "programarguments", "cmd", "args", "argv", "executable",
      ]),
    Field(
      .shell, "shell", .name, "A line for /bin/sh -c.", example: "shell: \"cd data && ./clean\"",
      borrowed: ["run", "script", "sh", "bash", "steps"]),
    Field(
      .with, "with", .parameters, "Parameters for the handler; a command gets them as JSON.",
      example: "with: {keep: 7}", borrowed: ["parameters", "params", "input", "inputs", "options"]),
    Field(
      .environment, "environment", .environment, effect: .onlyCommand, mayBeDefault: true,
      "Variables for the program; inherit: true passes the runner's own through.",
      example: "environment: {LEVEL: \"3\"}", borrowed: ["env", "environmentvariables", "envvars"]),
    Field(
      .workingDirectory, "workingDirectory", .path, effect: .onlyCommand,
      builtIn: "the manifest's folder", "The folder in which the program runs.",
      example: "workingDirectory: data",
      borrowed: ["cwd", "dir", "directory", "workdir", "chdir", "working-directory"]),
  ]

  private static let conditions: [Field] = [
    Field(
      .requiresExternalPower, "requiresExternalPower", .boolean, mayBeDefault: true,
      builtIn: "false", "Whether the job waits for mains power.",
      example: "requiresExternalPower: true",
      borrowed: [
        "requirescharging", "conditionacpower", "charging", "onacpower", "onac", "power",
        "requirespower", "startonlyonac",
      ]),
    Field(
      .network, "network",
      .word([
        ValueType.Word("notRequired", borrowed: ["no", "false", "off", "not_required", "never"]),
        ValueType.Word(
          "any", borrowed: ["yes", "true", "on", "connected", "required", "online", "wan"]),
        ValueType.Word("unmetered", borrowed: ["wifi", "notroaming", "free", "nonmetered"]),
      ]), mayBeDefault: true, builtIn: "notRequired", "The network that the job waits for.",
      example: "network: any",
      borrowed: [
        "requiresnetworkconnectivity", "requirednetworktype", "requiresnetwork", "networktype",
        "online", "internet",
      ]),
    Field(
      .requiresIdle, "requiresIdle", .idleness, mayBeDefault: true, builtIn: "false",
      "Whether, or for how long, nobody must have used the machine; true is 5m.",
      example: "requiresIdle: 10m",
      borrowed: ["requiresdeviceidle", "idle", "runonlyifidle", "onlyifidle"]),
    Field(
      .minimumBattery, "minimumBattery", .percent, mayBeDefault: true,
      "The charge in percent that the job waits for; met on mains or without a battery.",
      example: "minimumBattery: 40",
      borrowed: ["requiresbatterynotlow", "battery", "batterylevel", "minbattery"]),
    Field(
      .minimumFreeSpace, "minimumFreeSpace", .freeSpace, mayBeDefault: true,
      "The free space that the job waits for.", example: "minimumFreeSpace: 10GB",
      borrowed: ["requiresstoragenotlow", "freespace", "diskspace", "minfreespace"]),
    Field(
      .lowPowerMode, "lowPowerMode",
      .word([
        ValueType.Word("allow", borrowed: ["true", "yes", "run"]),
        ValueType.Word("defer", borrowed: ["false", "no", "wait", "skip"]),
      ]), mayBeDefault: true, builtIn: "allow",
      "Whether the job waits while the machine saves power.", example: "lowPowerMode: defer",
      borrowed: ["powersave", "batterysaver", "lowpower"]),
    Field(
      .strategy, "strategy",
      .word([
        ValueType.Word("queue", borrowed: ["wait", "allow"]),
        ValueType.Word("skip", borrowed: ["forbid", "drop", "ignore"]),
        ValueType.Word("fail", borrowed: ["error", "abort"]),
      ]), mayBeDefault: true, builtIn: "queue",
      "What happens when conditions are unmet at the due time.", example: "strategy: skip",
      borrowed: ["submissionstrategy", "policy", "concurrencypolicy"]),
  ]

  private static let timing: [Field] = [
    Field(
      .earliestBegin, "earliestBegin", .duration(), effect: .notContinued,
      "The least time between a submission and its run.", example: "earliestBegin: 15m",
      borrowed: ["earliestbegindate", "delay", "initialdelay", "startafter", "onbootsec"]),
    Field(
      .schedule, "schedule", .group(.schedule), effect: .notContinued, mayBeDefault: true,
      "When the job recurs.", example: "schedule: {every: 15m}",
      borrowed: [
        "startcalendarinterval", "on", "when", "trigger", "timer",
      ]),
    Field(
      .tolerance, "tolerance", .duration(), mayBeDefault: true, builtIn: "0s",
      "How much later the job may start, so that wake-ups can be shared.",
      example: "tolerance: 5m", borrowed: ["accuracysec", "leeway", "flex", "flexinterval"]),
    Field(
      .timeLimit, "timeLimit", .duration(from: .milliseconds(1), orWord: "none"),
      effect: .notContinued, mayBeDefault: true,
      builtIn: "30s for appRefresh, 10m for processing, 1h for command and shell",
      "How long a run may take.", example: "timeLimit: 10m",
      borrowed: [
        "timeout", "timeout-minutes", "timeoutstartsec", "runtimemaxsec",
        "activedeadlineseconds", "timeoutsec", "maxduration", "executiontimelimit", "deadline",
      ]),
    Field(
      .expirationGrace, "expirationGrace", .duration(to: .seconds(600)), mayBeDefault: true,
      builtIn: "10s for command and shell, 1s for handlers",
      "The time between the warning and the forced end.", example: "expirationGrace: 30s",
      borrowed: [
        "timeoutstopsec", "terminationgraceperiodseconds", "graceperiod", "grace", "exittimeout",
        "killtimeout",
      ]),
    Field(
      .whenLost, "whenLost",
      .word([
        ValueType.Word("expire", borrowed: ["stop", "kill", "cancel"]),
        ValueType.Word("continue", borrowed: ["keep", "ignore", "run"]),
      ]), mayBeDefault: true, builtIn: "expire",
      "What a condition that is lost during a run does to it.", example: "whenLost: continue",
      borrowed: ["stopifgoingonbatteries", "onconditionlost"]),
    Field(
      .retry, "retry", .group(.retry), mayBeDefault: true,
      "How often and when a failed run is repeated.", example: "retry: {maxAttempts: 3}",
      borrowed: [
        "retries", "restart", "restartpolicy", "backofflimit", "attempts", "backoff",
        "restartsec", "maxretries",
      ]),
  ]

  private static let limits: [Field] = [
    Field(
      .qualityOfService, "qualityOfService",
      .word([
        ValueType.Word("background", borrowed: ["low", "idle", "batch"]),
        ValueType.Word("utility", borrowed: ["default", "normal", "medium"]),
        ValueType.Word("userInitiated", borrowed: ["high", "interactive", "userinteractive"]),
      ]), mayBeDefault: true, builtIn: "utility",
      "The order among waiting jobs and the priority of the job's processes.",
      example: "qualityOfService: background",
      borrowed: ["nice", "priority", "qos", "processtype", "ioschedulingclass"]),
    Field(
      .maxRunning, "maxRunning", .integer(1...Int.max), builtIn: "1",
      "How many runs of this identifier may go on at a time, each with its own key.",
      example: "maxRunning: 4",
      borrowed: ["maxparallel", "max-parallel", "parallelism", "replicas", "maxconcurrency"]),
    Field(
      .memoryLimit, "memoryLimit", .size, "The memory over which a run expires.",
      example: "memoryLimit: 512MiB", borrowed: ["memorymax", "memory", "maxmemory", "memlimit"]),
    Field(
      .output, "output", .group(.output), mayBeDefault: true,
      "How much of the job's output is kept.", example: "output: {maxSize: 1MiB, keep: 20}",
      borrowed: ["standardoutput", "standarderror", "log", "logs", "logging", "stdout"]),
    Field(
      .keepHistory, "keepHistory", .duration(), builtIn: "30d",
      "The age at which ended runs leave the history.", example: "keepHistory: 30d",
      borrowed: ["history", "retention", "successfuljobshistorylimit", "ttlsecondsafterfinished"]),
  ]

  private static let continued: [Field] = [
    Field(
      .title, "title", .text, effect: .onlyContinued, "What is shown while the task runs.",
      example: "title: Exporting palettes", borrowed: []),
    Field(
      .subtitle, "subtitle", .text, effect: .onlyContinued,
      "The second line of what is shown while the task runs.", example: "subtitle: Preparing"),
    Field(
      .progress, "progress", .group(.progress), effect: .onlyContinued,
      "How long the task may go without progress.", example: "progress: {stallAfter: 30s}"),
    Field(
      .requiredResources, "requiredResources", .words([ValueType.Word("gpu", borrowed: ["cuda"])]),
      effect: .onlyContinued, "What the machine must have.", example: "requiredResources: [gpu]",
      borrowed: ["resources", "gpu", "gpus"]),
  ]

  private static let dependencies: [Field] = [
    Field(
      .afterSuccessOf, "afterSuccessOf", .identifiers, effect: .notContinued,
      "The jobs that must each have succeeded since this one's last start.",
      example: "afterSuccessOf: [com.example.download]",
      borrowed: ["needs", "dependson", "depends_on", "after", "requires", "wants", "dependencies"])
  ]
}

extension [ValueType.Word] {
  fileprivate func withBorrowed(_ borrowed: [String: [String]]) -> Self {
    map { ValueType.Word($0.text, borrowed: borrowed[$0.text] ?? []) }
  }
}
