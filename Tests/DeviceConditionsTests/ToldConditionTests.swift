import DeviceConditions
import JobModel
import LinuxSystem
import Testing

@Suite("Conditions told in files")
struct ToldConditionTests {
  @Test(
    arguments: [
      ("requiresExternalPower", "false", .requiresExternalPower(false)),
      ("network", "any", .network(.connected)), ("network", "none", .network(.none)),
      ("requiresIdle", "true", .requiresIdle(.unattended)),
      ("minimumBattery", "100", .minimumBattery(percent: 100)),
      ("lowPowerMode", "on", .lowPowerMode(true)),
      ("requiredResources", "gpu", .requiredResources(hasGPU: true)),
    ] as [(String, String, ToldCondition.Value)])
  func `each condition has its values`(
    _ name: String, _ text: String, _ value: ToldCondition.Value
  ) throws {
    #expect(try ToldCondition(name, text).value == value)
    #expect(try ToldCondition(file: name, "  \(text) \r\n\n").value == value)
  }

  @Test(
    arguments: [
      ("power", "true"), ("network", "fast"), ("minimumBattery", "101"), ("minimumBattery", "-1"),
      ("requiredResources", "tpu"), ("requiresIdle", ""), ("minimumFreeSpace", "1GiB"),
    ])
  func `anything else is refused with what to write`(_ name: String, _ text: String) {
    let mistake = #expect(throws: ToldCondition.Mistake.self) { try ToldCondition(name, text) }
    #expect(mistake?.sentence.contains("use ") == true)
  }

  @Test func `a second line ends it`() throws {
    let until = WallInstant(seconds: 1_800_000_000)
    let text = ToldCondition.fileText("true", until: until)
    #expect(try ToldCondition(file: "lowPowerMode", text).until == until)
    #expect(throws: ToldCondition.Mistake.self) {
      try ToldCondition(file: "lowPowerMode", "true\nuntil tomorrow\n")
    }
    #expect(throws: ToldCondition.Mistake.self) { try ToldCondition(file: "lowPowerMode", "\n") }
  }

  @Test func `what is told is followed, and the state directory's word is the stronger`() throws {
    let files = try KernelFiles()
    let folder = ToldFolder.of(stateDirectory: files.path)
    try folder.make()
    try files.write(["/run/.keep": ""])
    let observation = try Observation(of: files)
    try observation.settle()
    try files.write(["/run/bgrun/conditions/network": "metered"])
    #expect(try observation.turn { $0.connectivity.value == .metered })
    try folder.tell("network", "unmetered", until: nil)
    #expect(try observation.turn { $0.connectivity.value == .unmetered })
    #expect(observation.observer.current.connectivity.source.hasPrefix("told in \(folder.path)/"))
    #expect(try folder.clear("network"))
    #expect(try observation.turn { $0.connectivity.value == .metered })
    #expect(try !folder.clear("network"))
  }

  @Test func `what is told for a while doesn't count afterwards`() throws {
    let files = try KernelFiles()
    let folder = ToldFolder.of(stateDirectory: files.path)
    try folder.tell("requiresExternalPower", "false", until: WallInstant(seconds: 2_000))
    let observation = try Observation(of: files)
    #expect(!observation.observer.current.externalPower.value)
    // The real clock is past it, so the timer is due at once; only the reading's clock is a test's.
    observation.now = WallInstant(seconds: 2_000)
    #expect(try observation.turn { $0.externalPower.value })
  }

  @Test func `mistakes are named, hidden files are passed over`() throws {
    let files = try KernelFiles()
    try files.write(["/conditions/network": "fast", "/conditions/.network.new": "any"])
    let read = ToldFolder.of(stateDirectory: files.path).read()
    #expect(read.told.isEmpty)
    #expect(read.mistakes.count == 1)
    #expect(read.mistakes[0].hasPrefix("\(files.path)/conditions/network: 'fast' isn't"))
  }
}
