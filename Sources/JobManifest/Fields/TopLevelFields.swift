import JobModel

/// The keys of a manifest beside its jobs.
enum TopLevelFields {
  static let all: [Field] = [
    Field(
      .version, "version", .version, "The manifest format.", example: "version: 1",
      borrowed: ["apiversion", "schemaversion", "formatversion"]),
    Field(
      .app, "app", .appIdentifier, builtIn: "default",
      "The program's identifier: it names the store, and wildcards begin with it.",
      example: "app: com.example.colorfeed",
      borrowed: ["application", "bundleidentifier", "bundleid", "name", "program"]),
    Field(
      .defaults, "defaults", .defaults, "Values for jobs that don't set a key themselves.",
      example: "defaults: {retry: {maxAttempts: 3}}",
      borrowed: ["default", "common", "global", "globals", "template"]),
    Field(
      .concurrency, "concurrency", .group(.concurrency), "How many runs may go on at a time.",
      example: "concurrency: {total: 4}", borrowed: ["parallelism", "maxparallel", "workers"]),
    Field(
      .pendingLimits, "pendingLimits", .group(.pendingLimits),
      "How many requests may wait, for each kind.", example: "pendingLimits: {processing: 10}",
      borrowed: ["limits", "queuelimit"]),
    Field(
      .lifecycle, "lifecycle", .group(.lifecycle),
      "The times of a program that goes to the background.",
      example: "lifecycle: {conditionGrace: 10s}"),
    Field(
      .jobs, "jobs", .jobs, "What may run.",
      example: "jobs: [{identifier: com.example.cleanup, command: [./clean]}]",
      borrowed: ["tasks", "job", "services", "timers", "entries"]),
  ]

  static let concurrency: [Field] = [
    Field(
      .total, "total", .integer(1...Int.max), builtIn: "the number of cores",
      "Runs of appRefresh and processing jobs at a time.", example: "concurrency: {total: 4}",
      borrowed: ["max", "limit", "jobs"]),
    Field(
      .continuedTotal, "continuedProcessing", .integer(1...Int.max), builtIn: "3",
      "Runs of continuedProcessing jobs at a time.",
      example: "concurrency: {continuedProcessing: 3}"),
  ]

  static let pendingLimits: [Field] = [
    pendingLimit(.pendingAppRefresh, .appRefresh),
    pendingLimit(.pendingProcessing, .processing),
    pendingLimit(.pendingContinued, .continuedProcessing),
  ]

  static let lifecycle: [Field] = [
    Field(
      .backgroundTime, "backgroundTime", .duration(), builtIn: "30s",
      "The time that a program gets in the background.",
      example: "lifecycle: {backgroundTime: 30s}"),
    Field(
      .suspendAfter, "suspendAfter", .duration(orWord: "never"), builtIn: "5s",
      "The time in the background after which a program is suspended.",
      example: "lifecycle: {suspendAfter: never}"),
    Field(
      .conditionGrace, "conditionGrace", .duration(), builtIn: "10s",
      "How long a lost condition may stay away before its runs expire.",
      example: "lifecycle: {conditionGrace: 10s}"),
  ]

  private static func pendingLimit(_ id: FieldID, _ kind: JobKind) -> Field {
    Field(
      id, kind.rawValue, .integer(1...Int.max), builtIn: "no limit",
      "How many requests of this kind may wait.", example: "pendingLimits: {\(kind.rawValue): 10}")
  }
}
