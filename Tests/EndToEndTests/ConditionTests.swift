import Glibc
import Testing

/// Jobs that wait for external power, on a device whose supplies the test sets.
@Suite("Conditions, as the built program meets them")
struct ConditionTests {
  @Test func `SB7: queue waits and says so, fail and skip leave one row each`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.queued
          command: [echo, done]
          requiresExternalPower: true
          schedule: {every: 7d}
        - identifier: com.example.failing
          command: [echo, done]
          requiresExternalPower: true
          strategy: fail
          schedule: {every: 7d}
        - identifier: com.example.skipping
          command: [echo, done]
          requiresExternalPower: true
          strategy: skip
          schedule: {every: 7d}
      """)
    try place.setExternalPower(false)
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("\"event\":\"waiting\"")
    try runner.waitFor("strategyFail")
    try runner.waitFor("strategySkip")
    let why = try place.bgrun("why", "com.example.queued")
    #expect(why.status == 0)
    #expect(why.output.contains("requiresExternalPower"))
    #expect(why.output.contains("on battery"))

    try place.setExternalPower(true)
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)

    let queued = try place.history("com.example.queued")
    #expect(queued.map { $0["outcome"] as? String } == ["succeeded"])
    let failing = try place.history("com.example.failing")
    #expect(failing.map { $0["outcome"] as? String } == ["failed"])
    #expect(failing.first?["reason"] as? String == "strategyFail")
    #expect(failing.first?["detail"] as? String == "requiresExternalPower")
    let skipping = try place.history("com.example.skipping")
    #expect(skipping.map { $0["outcome"] as? String } == ["skipped"])
    #expect(skipping.first?["reason"] as? String == "strategySkip")
  }

  @Test func `PL4: a condition that stays away expires the run, which runs again later`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.cut
          shell: "if [ -e second ]; then exit 0; fi; touch second; exec sleep 64.25"
          requiresExternalPower: true
          expirationGrace: 1s
          schedule: {every: 7d}
          retry: {initialDelay: 1s, jitter: false}
      """, top: "version: 1\nlifecycle: {conditionGrace: 200ms}\n")
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("run-started")
    try place.setExternalPower(false)
    try runner.waitFor("\"outcome\":\"expired\"")
    try place.setExternalPower(true)
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    _ = try runner.waitForEnd()
    let rows = try place.history()
    #expect(rows.map { $0["outcome"] as? String } == ["succeeded", "expired"])
    #expect(rows.last?["reason"] as? String == "requiresExternalPower")
    #expect(rows.map { $0["attempt"] as? Int } == [1, 1], "no attempt is used (LC9)")
  }

  @Test func `PL4: whenLost continue lets the run go on to its end`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.uncut
          shell: "touch begun; while [ ! -e finish ]; do sleep 0.02; done"
          requiresExternalPower: true
          whenLost: continue
          schedule: {every: 7d}
      """, top: "version: 1\nlifecycle: {conditionGrace: 100ms}\n")
    let runner = try place.startRunner("--log-format", "json")
    try runner.waitFor("run-started")
    try place.setExternalPower(false)
    try place.write("finish", "")
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    _ = try runner.waitForEnd()
  }

  @Test func `PL19: --now passes unmet gates by and says which`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.now
          command: [echo, hello]
          requiresExternalPower: true
          schedule: {cron: "0 3 1 1 *"}
      """)
    try place.setExternalPower(false)
    let finished = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.now")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(finished.errors.contains("requiresExternalPower"))
    #expect(try place.history().map { $0["outcome"] as? String } == ["succeeded"])
  }

  @Test func `without libsystemd the program works, and takes conditions from the kernel`() throws {
    let place = try Workplace(
      "  - {identifier: com.example.plain, command: [echo, done], requiresExternalPower: true}\n")
    // A library that is no library: the loader gives up on it, as it does where none is.
    try place.write("libraries/libsystemd.so.0", "")
    let environment = ["LD_LIBRARY_PATH": "\(place.folder)/libraries"]
    let run = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--now", "com.example.plain", environment: environment)
    #expect(run.status == 0)
    let doctor = try place.bgrun("doctor", environment: environment)
    #expect(doctor.status == 0)
    #expect(doctor.output.contains("/sys/class/power_supply/AC"))
    #expect(!doctor.output.contains("logind"))
  }
}
