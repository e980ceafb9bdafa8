import Foundation
import Testing

/// The built program beside the system's services, on a bus of its own.
@Suite(
  "Conditions from the system's services",
  .enabled(if: PrivateBus.isPossible, "needs Debian's dbus and python3-dbusmock"))
struct BusConditionTests {
  /// A place with a bus, and one job that has the condition.
  private func place(_ condition: String) throws -> (Workplace, PrivateBus) {
    let place = try Workplace(
      """
        - identifier: com.example.waiting
          command: [echo, done]
          \(condition)
          schedule: {every: 7d}
      """)
    return (place, try PrivateBus(in: place.folder))
  }

  private func start(_ place: Workplace, _ bus: PrivateBus) throws -> RunningProgram {
    try place.startRunner(
      "--log-format", "json", environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
  }

  /// What `doctor` says of one condition.
  private func doctor(
    _ condition: String, _ place: Workplace, _ bus: PrivateBus
  ) throws -> [String: any Sendable] {
    let finished = try place.bgrun(
      "doctor", "--json", environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(finished.output.utf8)) as? [String: any Sendable])
    let conditions = try #require(report["conditions"] as? [[String: any Sendable]])
    return try #require(conditions.first { $0["condition"] as? String == condition })
  }

  private func expectRun(_ runner: RunningProgram) throws {
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test func `PL2: UPower goes before the kernel's files, and its change starts the job`() throws {
    let (place, bus) = try place("requiresExternalPower: true")
    try bus.add("upower", #"{"OnBattery": true}"#)
    let runner = try start(place, bus)
    try runner.waitFor("on battery (UPower)")
    try bus.set(PrivateBus.upower, "OnBattery", "boolean:false")
    try expectRun(runner)
  }

  @Test func `PL3: a captive portal is no network, full connectivity is`() throws {
    let (place, bus) = try place("network: any")
    try bus.add("networkmanager", #"{"Connectivity": 2}"#)
    let runner = try start(place, bus)
    try runner.waitFor("no network (NetworkManager)")
    try bus.set(PrivateBus.networkManager, "Connectivity", "uint32:4")
    try expectRun(runner)
  }

  @Test func `PL3: a network that is guessed to be metered isn't unmetered`() throws {
    let (place, bus) = try place("network: unmetered")
    try bus.add("networkmanager")
    let manager = PrivateBus.networkManager
    try bus.call(
      manager.service, manager.path, "org.freedesktop.DBus.Mock.AddProperty",
      "string:\(manager.interface)", "string:Metered", "variant:uint32:3")
    let runner = try start(place, bus)
    try runner.waitFor("network: metered (NetworkManager)")
    try bus.set(manager, "Metered", "uint32:4")
    try expectRun(runner)
  }

  @Test func `low power mode follows the active power profile`() throws {
    let (place, bus) = try place("lowPowerMode: defer")
    try bus.add("power_profiles_daemon", #"{"ActiveProfile": "power-saver"}"#)
    let runner = try start(place, bus)
    try runner.waitFor("low power mode is on (power-profiles-daemon)")
    try bus.set(PrivateBus.powerProfiles, "ActiveProfile", "string:balanced")
    try expectRun(runner)
  }

  @Test func `idleness follows logind's hint`() throws {
    let (place, bus) = try place("requiresIdle: 1s")
    try bus.add("logind")
    let runner = try start(place, bus)
    try runner.waitFor("in use (logind)")
    // Since long ago, so that the second has passed.
    try bus.set(PrivateBus.logind, "IdleSinceHint", "uint64:1000000000000000")
    try bus.set(PrivateBus.logind, "IdleHint", "boolean:true")
    try expectRun(runner)
  }

  @Test func `a shutdown that logind announces stops the runner, which had held it back`() throws {
    let (place, bus) = try place("requiresExternalPower: true")
    try place.setExternalPower(false)
    try bus.add("logind")
    let runner = try start(place, bus)
    try runner.waitFor("/AC)")
    #expect(try bus.inhibitors().contains("bgrun"))
    try bus.emit(PrivateBus.logind, "PrepareForSleep", false)
    try bus.emit(PrivateBus.logind, "PrepareForShutdown", true)
    #expect(try runner.waitForEnd().status == 0)
  }

  @Test func `a service that dies leaves its last word, marked stale, until it is back`() throws {
    let (place, bus) = try place("requiresExternalPower: true")
    try bus.add("upower", #"{"OnBattery": true}"#)
    let runner = try start(place, bus)
    try runner.waitFor("on battery (UPower)")
    try bus.remove("upower")
    var power = try doctor("requiresExternalPower", place, bus)
    // The runner's word is published a moment after the bus has told.
    for _ in 0..<200 where power["trust"] as? String != "stale" {
      power = try doctor("requiresExternalPower", place, bus)
    }
    #expect(power["trust"] as? String == "stale")
    #expect(power["value"] as? String == "on battery")
    try bus.add("upower", #"{"OnBattery": false}"#)
    try expectRun(runner)
  }

  @Test func `a bus that dies is connected to again`() throws {
    let (place, bus) = try place("requiresExternalPower: true")
    try bus.add("upower", #"{"OnBattery": true}"#)
    let runner = try start(place, bus)
    try runner.waitFor("on battery (UPower)")
    try bus.stop()
    try bus.start()
    try bus.add("upower", #"{"OnBattery": false}"#)
    try expectRun(runner)
  }

  @Test func `a bus that comes later is noticed`() throws {
    let (place, bus) = try place("requiresExternalPower: true")
    try bus.stop()
    try place.setExternalPower(false)
    let runner = try start(place, bus)
    try runner.waitFor("/AC)")
    try bus.start()
    try bus.add("upower", #"{"OnBattery": false}"#)
    try expectRun(runner)
  }
}
