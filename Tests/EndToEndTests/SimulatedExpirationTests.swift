import Testing

/// Expiration on demand, for whoever writes the code that has to bear it.
@Suite("Simulated expiration")
struct SimulatedExpirationTests {
  private static let variable = "BACKGROUND_TASK_SIMULATE_EXPIRATION"

  private func place() throws -> Workplace {
    try Workplace(
      """
        - {identifier: com.example.tidy, kind: processing}
        - identifier: com.example.program
          shell: "trap 'cat $BGRUN_JOB_DIR/reason; exit 0' TERM; while :; do sleep 0.05; done"

      """, program: "HandlerFixture")
  }

  private func run(_ name: String, in place: Workplace) throws -> [String: any Sendable] {
    _ = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--now", "com.example.\(name)",
      environment: [Self.variable: "0.3"])
    return try #require(try place.history("com.example.\(name)").first)
  }

  @Test(arguments: ["tidy", "program"])
  func `LC12: it warns handlers and commands, with reason timeLimit and detail simulated`(
    name: String
  ) throws {
    let place = try place()
    let row = try run(name, in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(row["reason"] as? String == "timeLimit")
    #expect(row["detail"] as? String == "simulated")
    let log = try place.bgrun("logs", "com.example.\(name)").output
    #expect(log.contains(name == "tidy" ? "tidied up" : "timeLimit"))
  }

  @Test func `LC12: a value that is none of YES, NO and seconds is refused before anything starts`()
    throws
  {
    let place = try place()
    let finished = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--now", "com.example.tidy",
      environment: [Self.variable: "soon"])
    #expect(finished.status == 2)
    #expect(finished.errors.contains("\(Self.variable) is 'soon'"))
  }
}
