import Foundation
import Testing

/// Conditions told from outside, and what `doctor` says of them.
@Suite("Conditions told from outside")
struct ToldConditionTests {
  private func place() throws -> Workplace {
    try Workplace(
      """
        - identifier: com.example.waiting
          command: [echo, done]
          requiresExternalPower: true
          schedule: {every: 7d}
      """)
  }

  @Test func `what is told goes before the machine's files, until it is cleared`() throws {
    let place = try place()
    let told = try place.bgrun("condition", "set", "requiresExternalPower", "false")
    #expect(told.status == 0, "\(told.errors)")
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("on battery (told in")
    let doctor = try place.bgrun("doctor")
    #expect(doctor.output.contains("told in \(place.state)/conditions/requiresExternalPower"))
    #expect(doctor.output.contains("ASSUMED"))

    let cleared = try place.bgrun("condition", "clear", "requiresExternalPower")
    #expect(cleared.status == 0, "\(cleared.errors)")
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
    #expect(try place.bgrun("condition", "clear", "requiresExternalPower").status == 2)
  }

  @Test func `what is told for a while ends by itself`() throws {
    let place = try place()
    #expect(
      try place.bgrun("condition", "set", "requiresExternalPower", "false", "--for", "1s").status
        == 0)
    let finished = try place.bgrun("run", "bgrun.yaml", "--drain")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try place.history().map { $0["outcome"] as? String } == ["succeeded"])
  }

  @Test func `a script that writes a file tells, and so does one in the machine's folder`() throws {
    let place = try place()
    try place.write("device/run/bgrun/conditions/requiresExternalPower", "false\n")
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("on battery (told in")
    // The state directory's word goes before the machine's.
    try place.write("state/conditions/requiresExternalPower", "true\n")
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    _ = try runner.waitForEnd()
  }

  @Test func `a file that says nothing is named by doctor`() throws {
    let place = try place()
    try place.write("state/conditions/requiresExternalPower", "perhaps\n")
    let doctor = try place.bgrun("doctor")
    #expect(doctor.status == 1)
    #expect(doctor.output.contains("'perhaps' isn't a value of requiresExternalPower"))
  }

  @Test(arguments: [
    ["set", "requiresExternalPower"], ["set", "network", "fast"], ["set", "power", "true"],
    ["clear", "network", "any"],
  ])
  func `what can't be told is refused with a sentence`(_ words: [String]) throws {
    let place = try place()
    let finished = try place.start(["condition"] + words).waitForEnd()
    #expect(finished.status == 2)
    #expect(finished.errors.contains("bgrun: "))
  }
}
