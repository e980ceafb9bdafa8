import DeviceConditions
import JobModel
import Testing

@Suite("Observing a machine")
struct DeviceObserverTests {
  private func laptop() throws -> KernelFiles {
    let files = try KernelFiles()
    try files.supply("AC", ["type": "Mains", "online": "1"])
    try files.supply("BAT0", ["type": "Battery", "status": "Full", "capacity": "97"])
    return files
  }

  @Test func `the first reading is there after the start, and isn't told as a change`() throws {
    let observation = try Observation(of: laptop())
    try observation.settle()
    let device = observation.observer.current
    #expect(device.externalPower.value)
    #expect(!device.externalPower.isAssumed)
    #expect(device.externalPower.source.hasSuffix("/AC"))
    #expect(device.batteryPercent.value == 97)
    #expect(observation.told.isEmpty)
  }

  @Test func `PL1: pulling the plug of an injected root is told at once`() throws {
    let observation = try Observation(of: laptop())
    observation.now = WallInstant(seconds: 2_000)
    try observation.files.supply("AC", ["online": "0"])
    #expect(try observation.turn { !$0.externalPower.value })
    #expect(observation.told.last?.externalPower.value == false)
    #expect(observation.told.last?.externalPower.since == WallInstant(seconds: 2_000))
  }

  @Test func `since stays while the value does`() throws {
    let observation = try Observation(of: laptop())
    observation.now = WallInstant(seconds: 2_000)
    try observation.files.supply("BAT0", ["capacity": "96"])
    #expect(try observation.turn { $0.batteryPercent.value == 96 })
    let device = observation.observer.current
    #expect(device.batteryPercent.since == WallInstant(seconds: 2_000))
    #expect(device.externalPower.since == WallInstant(seconds: 1_000))
  }

  @Test func `changes found together are told together`() throws {
    let observation = try Observation(of: laptop())
    try observation.files.supply("AC", ["online": "0"])
    try observation.files.supply("BAT0", ["status": "Discharging", "capacity": "96"])
    try observation.files.write(["/dev/dri/renderD128": ""])
    #expect(try observation.turn { !$0.externalPower.value })
    try observation.settle()
    #expect(observation.told.map(\.batteryPercent.value) == [96])
  }

  @Test func `writing the same again tells nothing`() throws {
    let observation = try Observation(of: laptop())
    try observation.files.supply("AC", ["online": "1"])
    try observation.settle()
    #expect(observation.told.isEmpty)
  }

  @Test func `a supply that comes after the start is followed`() throws {
    let observation = try Observation(of: KernelFiles())
    #expect(observation.observer.current.externalPower.isAssumed)
    try observation.files.supply("AC", ["type": "Mains", "online": "0"])
    try observation.files.supply("BAT0", ["type": "Battery", "status": "Discharging"])
    #expect(try observation.turn { !$0.externalPower.value })
    try observation.files.supply("AC", ["online": "1"])
    #expect(try observation.turn { $0.externalPower.value })
  }

  @Test func `CP7: a GPU is a render node, absent until there is one`() throws {
    let observation = try Observation(of: laptop())
    #expect(!observation.observer.current.hasGPU.value)
    #expect(!observation.observer.current.hasGPU.isAssumed)
    try observation.files.write(["/dev/dri/card0": ""])
    try observation.settle()
    #expect(!observation.observer.current.hasGPU.value)
    try observation.files.write(["/dev/dri/renderD128": ""])
    #expect(try observation.turn { $0.hasGPU.value })
    #expect(observation.observer.current.hasGPU.source.hasSuffix("/dev/dri/renderD128"))
    observation.files.remove("/dev/dri/renderD128")
    #expect(try observation.turn { !$0.hasGPU.value })
  }

  @Test func `CP7: a device of NVIDIA's driver is a GPU, its control node alone isn't`() throws {
    let observation = try Observation(of: laptop())
    try observation.files.write(["/dev/nvidiactl": "", "/dev/nvidia-uvm": ""])
    try observation.settle()
    #expect(!observation.observer.current.hasGPU.value)
    try observation.files.write(["/dev/nvidia0": ""])
    #expect(try observation.turn { $0.hasGPU.value })
    #expect(observation.observer.current.hasGPU.source.hasSuffix("/dev/nvidia0"))
    observation.files.remove("/dev/nvidia0")
    #expect(try observation.turn { !$0.hasGPU.value })
  }

  @Test func `PL1: idleness and low power mode have no source and are assumed`() throws {
    let device = try Observation(of: laptop()).observer.current
    #expect(device.userActivity.value == .unattended)
    #expect(device.userActivity.isAssumed)
    #expect(!device.isLowPowerMode.value)
    #expect(device.isLowPowerMode.isAssumed)
  }

  @Test func `a supply that flips without end is told at a pace, and its last state is told`()
    throws
  {
    let observation = try Observation(of: laptop(), step: .milliseconds(1))
    try observation.settle()
    for number in 0..<1_000 {
      try observation.files.supply("AC", ["online": number.isMultiple(of: 2) ? "0" : "1"])
      _ = try observation.wakes(within: .zero)
    }
    #expect(observation.told.count < 100)
    // What is held back is told when its time has come.
    try observation.files.supply("BAT0", ["capacity": "42"])
    #expect(try observation.turn { $0.batteryPercent.value == 42 })
  }
}
