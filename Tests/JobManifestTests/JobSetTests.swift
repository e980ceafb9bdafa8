import JobManifest
import JobModel
import Testing

@Suite("A valid manifest becomes a job set")
struct JobSetTests {
  private func everyKey() throws -> JobSet {
    let source = ManifestSource(
      path: "every-key.yaml", folder: "/srv", bytes: Fixtures.bytes("single/every-key.yaml"))
    return try #require(TestMachine.loader.load(sources: [source]).jobSet)
  }

  private func job(_ lines: String, defaults: String = "{}") throws -> JobDefinition {
    let set = TestMachine.load(
      """
      version: 1
      defaults: \(defaults)
      jobs:
        - identifier: com.example.job
      \(lines)
      """)
    try #require(set.jobSet != nil, "\(DiagnosticRenderer(set).text())")
    return try #require(set.jobSet?.jobs[JobIdentifier("com.example.job")])
  }

  @Test func `each duplicate among thousands of identifiers is found, with where it stood first`() {
    func file(_ numbers: some Sequence<Int>, _ name: String) -> ManifestSource {
      let jobs = numbers.map { "  - {identifier: com.example.job-\($0), command: [\"true\"]}\n" }
      return TestMachine.source("version: 1\njobs:\n" + jobs.joined(), path: name)
    }
    let set = TestMachine.loader.check(sources: [
      file(0..<1500, "first.yaml"), file(Array(1500..<3000) + [7, 1499, 2999], "second.yaml"),
    ])
    let told = DiagnosticFormat.compact.render(
      [set], ReportSetting(isColoured: false, limit: .error, folder: "/srv", version: "0"))
    #expect(
      told.split(separator: "\n").map { $0.prefix { $0 != "[" } } == [
        "second.yaml:1503:18: error: duplicate identifier 'com.example.job-7': give each job its own ",
        "second.yaml:1504:18: error: duplicate identifier 'com.example.job-1499': give each job its own ",
        "second.yaml:1505:18: error: duplicate identifier 'com.example.job-2999': give each job its own ",
      ])
    let notes = set.diagnostics.map { "\($0.notes[0].source) \($0.notes[0].message)" }
    #expect(notes == ["0 first here", "0 first here", "1 first here"])
  }

  @Test func `the keys of the set are taken`() throws {
    let set = try everyKey()
    #expect(set.app == "com.example")
    #expect(set.concurrency.total == 4)
    #expect(set.concurrency.continuedProcessing == 2)
    #expect(set.pendingLimits.processing == 10)
    #expect(set.lifecycle.suspendAfter == nil)
    #expect(set.jobs.count == 3)
  }

  @Test func `a job's own keys, its defaults and the built-in values come together`() throws {
    let job = try #require(try everyKey().jobs[JobIdentifier("com.example.command")])
    #expect(job.kind == .processing)
    #expect(job.isEnabled == false)
    #expect(job.action == .command(["/srv/tools/known", "-v"]))
    #expect(job.parameters == #"{"keep":7,"names":["a","b"],"deep":{"x":1.5,"y":null,"z":"12"}}"#)
    #expect(job.environment.variables == ["LEVEL": "2", "OLD": "x"])
    #expect(job.environment.inheritsAll)
    #expect(job.workingDirectory == "/srv/data")
    #expect(job.conditions.requiresExternalPower)
    #expect(job.conditions.network == .any)
    #expect(job.conditions.requiresIdle == .seconds(600))
    #expect(job.conditions.minimumBattery == 40)
    #expect(
      job.conditions.minimumFreeSpace
        == FreeSpaceRequirement(path: "/srv/cache", bytes: 10_000_000_000))
    #expect(job.conditions.defersInLowPowerMode)
    #expect(job.strategy == .skip)
    #expect(job.earliestBegin == .seconds(60))
    #expect(job.tolerance == .seconds(300))
    #expect(job.timeLimit == nil)
    #expect(job.expirationGrace == .seconds(20))
    #expect(job.whenLost == .continue)
    #expect(job.retry.maxAttempts == 3)
    #expect(job.retry.backoff == .linear)
    #expect(job.retry.hasJitter == false)
    #expect(job.qualityOfService == .background)
    #expect(job.maxRunning == 2)
    #expect(job.memoryLimit == 512 << 20)
    #expect(job.output == OutputPolicyForTest.expected)
    #expect(job.keepHistory == .seconds(7 * 86_400))
  }

  private enum OutputPolicyForTest {
    static var expected: OutputPolicy {
      var policy = OutputPolicy()
      policy.maxSize = 2 << 20
      policy.keep = 5
      return policy
    }
  }

  @Test func `a cron expression in a job drops a default interval, not its companions`() throws {
    let policy = try #require(
      try everyKey().jobs[JobIdentifier("com.example.command")]?.schedule)
    guard case .cron(let expression, let zone) = policy.schedule else {
      Issue.record("no cron expression")
      return
    }
    #expect(expression.text == "0 3 * * *")
    #expect(zone.name == "Etc/UTC")
    #expect(policy.catchUp == .all)
    #expect(policy.catchUpLimit == 5)
    #expect(policy.startWithin == .seconds(1800))
  }

  @Test func `a null takes a default back`() throws {
    let job = try job(
      "    command: [\"true\"]\n    timeLimit: null\n    schedule: ~\n    retry:",
      defaults: "{timeLimit: 5m, schedule: {every: 1h}, retry: {maxAttempts: 9}}")
    #expect(job.timeLimit == .seconds(3600))
    #expect(job.schedule == nil)
    #expect(job.retry == RetryPolicy())
  }

  @Test(arguments: [
    ("    kind: appRefresh", Duration.seconds(30), Duration.seconds(1)),
    ("    kind: processing", .seconds(600), .seconds(1)),
    ("    command: [\"true\"]", .seconds(3600), .seconds(10)),
    ("    kind: appRefresh\n    shell: exit", .seconds(3600), .seconds(10)),
  ])
  func `LC3, LC5: the limits follow kind and action`(
    lines: String, limit: Duration, grace: Duration
  ) throws {
    let job = try job(lines)
    #expect(job.timeLimit == limit)
    #expect(job.expirationGrace == grace)
  }

  @Test func `LC3, CP3: a continued task has no time limit but must go on`() throws {
    let job = try job("    kind: continuedProcessing")
    #expect(job.timeLimit == nil)
    #expect(job.stallAfter == .seconds(30))
    #expect(job.action == .handler("com.example.job"))
  }

  @Test func `merge keys and aliases read like their values`() throws {
    let set = TestMachine.load(
      """
      version: 1
      x-base: &base {network: any, requiresIdle: &yes true}
      jobs:
        - identifier: com.example.job
          kind: &kind processing
          <<: *base
          network: unmetered
          enabled: *yes
      """)
    let job = try #require(set.jobSet?.jobs[JobIdentifier("com.example.job")])
    #expect(job.conditions.network == .unmetered)
    #expect(job.conditions.requiresIdle == .seconds(300))
  }

  @Test func `a text field takes the text of what looks like something else`() throws {
    for text in ["5", "true", "2024-01-01", "no", "012", "1:30", "0x1F", "~a"] {
      #expect(try job("    kind: processing\n    description: \(text)").description == text)
    }
  }

  @Test func `with an error there is no job set`() {
    let set = TestMachine.load("version: 1\njobs:\n  - identifier: x\n    kind: processing\n")
    #expect(set.jobSet == nil)
    #expect(set.holds(.error))
  }

  @Test func `without a job set a check finds the same`() {
    let source = TestMachine.source("version: 1\njobs:\n  - identifier: com.example.a\n")
    let checked = TestMachine.loader.check(sources: [source])
    #expect(checked.diagnostics == TestMachine.loader.load(sources: [source]).diagnostics)
    #expect(checked.jobSet == nil)
  }

  @Test func `the digest names what was loaded`() throws {
    let text = "version: 1\njobs: [{identifier: com.example.a, kind: processing}]\n"
    let digest = try #require(TestMachine.load(text).jobSet?.digest)
    #expect(digest.count == 16)
    #expect(TestMachine.load(text, path: "other.yaml").jobSet?.digest == digest)
    #expect(TestMachine.load(text + "# more\n").jobSet?.digest != digest)
    var elsewhere = TestMachine.source(text)
    elsewhere.folder = "/other"
    #expect(TestMachine.loader.load(sources: [elsewhere]).jobSet?.digest != digest)
  }
}
