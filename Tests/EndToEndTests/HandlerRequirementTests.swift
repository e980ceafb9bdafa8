import Glibc
import Testing

/// What a program with handlers refuses before anything starts.
@Suite("Handlers that a manifest needs")
struct HandlerRequirementTests {
  private func place(_ jobs: String) throws -> Workplace {
    try Workplace(jobs, program: "HandlerFixture")
  }

  @Test func `RG6: run names every enabled job without a handler and starts nothing`() throws {
    let place = try place(
      """
        - {identifier: com.example.succeeding, kind: processing, schedule: {every: 1h}}
        - {identifier: com.example.unknown, kind: processing}
        - {identifier: com.example.strange, kind: appRefresh}
        - {identifier: com.example.off, kind: processing, enabled: false}

      """)
    let refused = try place.bgrun("run", "bgrun.yaml", "--once")
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains(
        "no handler is registered for:\n  com.example.strange\n  com.example.unknown\n"))
    #expect(try place.bgrun("history").output.contains("succeeding") == false)
    let selected = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--job", "com.example.succeeding")
    #expect(selected.status == 0)
  }

  @Test func `RG6, PL12: a reload that brings a job without a handler is refused by name`() throws {
    let job = "  - {identifier: com.example.succeeding, kind: processing, schedule: {every: 1h}}\n"
    let place = try place(job)
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("\"outcome\":\"succeeded\"")
    try place.write(
      "bgrun.yaml",
      "version: 1\njobs:\n" + job
        + "  - {identifier: com.example.unknown, kind: processing, schedule: {every: 1h}}\n")
    try runner.waitFor(
      "the one in force stays (no handler is registered for com.example.unknown)")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
    #expect(try place.history("com.example.unknown").isEmpty)
  }

  @Test(arguments: [
    ("{identifier: com.example.declared, kind: processing}", "processing"),
    (
      "{identifier: com.example.declared, kind: continuedProcessing, title: Declared}",
      "continuedProcessing"
    ),
    ("{identifier: com.example.*, kind: continuedProcessing, title: All}", "continuedProcessing"),
  ])
  func `LC1, LC11: a handler for another kind of job is refused before anything starts`(
    job: String, kind: String
  ) throws {
    let place = try Workplace(
      "  - {identifier: com.example.succeeding, kind: processing, schedule: {every: 1h}}\n"
        + "  - \(job)\n",
      top: "version: 1\napp: com.example\n", program: "HandlerFixture")
    let refused = try place.bgrun("run", "bgrun.yaml", "--once")
    #expect(refused.status == 2)
    #expect(
      refused.errors.contains(
        "com.example.declared is a job of kind \(kind), and its handler at HandlerFixture/"))
    #expect(refused.errors.contains("is for appRefresh: change the job's kind"))
    #expect(try place.bgrun("history").output.contains("succeeding") == false)
    let selected = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--job", "com.example.succeeding")
    #expect(selected.status == 0, "only what is run has to fit")
  }

  @Test func `LC1, PL12: a reload that gives a job another kind than its handler's is refused`()
    throws
  {
    let job = "  - {identifier: com.example.declared, kind: appRefresh, schedule: {every: 1h}}\n"
    let place = try place(job)
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("\"outcome\":\"succeeded\"")
    try place.write(
      "bgrun.yaml", "version: 1\njobs:\n" + job.replacing("appRefresh", with: "processing"))
    try runner.waitFor(
      "the one in force stays (com.example.declared is a job of kind processing, and its handler at "
    )
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test(arguments: [
    ("{colors: red, count: 1}", "with.colors must be a list"),
    ("{colors: [red], count: many}", "with.count must be a whole number"),
    ("{colors: [red, 1], count: 1}", "with.colors[1] must be text"),
    ("{colors: [red]}", "with.count is missing"),
  ])
  func `parameters that don't fit what the handler declares are refused`(
    parameters: String, sentence: String
  ) throws {
    let place = try place(
      "  - {identifier: com.example.parameters, kind: processing, with: \(parameters)}\n")
    let refused = try place.bgrun("run", "bgrun.yaml", "--once")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("\(sentence) [wrong-parameter]"))
  }

  @Test func `a handler without parameters is given none`() throws {
    let place = try place(
      "  - {identifier: com.example.succeeding, kind: processing, with: {a: 1}}\n")
    let refused = try place.bgrun("validate", "bgrun.yaml")
    #expect(refused.status == 1)
    #expect(refused.output.contains("the handler takes no parameters, and there is a"))
  }

  @Test(.disabled(if: ThreadSanitizer.isOn, ThreadSanitizer.reason))
  func `RG4: registering twice ends the program and names both call sites`() throws {
    let place = try place("  - {identifier: com.example.succeeding, kind: processing}\n")
    let ended = try place.start(
      ["run", "bgrun.yaml", "--once"], environment: ["FIXTURE_FAULT": "twice"]
    ).waitForEnd()
    #expect(ended.status == nil)
    let sites = ended.errors.matches(of: /HandlerFixture\/HandlerFixture\.swift:\d+/)
      .map { String($0.output) }
    #expect(Set(sites.prefix(2)).count == 2)
    #expect(ended.errors.contains("a handler for com.example.succeeding is already registered at"))
  }

  @Test func `a worker that a person starts says what it is`() throws {
    let place = try place("  - {identifier: com.example.succeeding, kind: processing}\n")
    let ended = try place.bgrun("--bgrun-worker")
    #expect(ended.status == 2)
    #expect(ended.errors.contains("is how a runner starts its workers"))
  }
}
