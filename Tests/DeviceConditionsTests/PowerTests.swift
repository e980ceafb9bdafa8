import Testing

@testable import DeviceConditions

@Suite("External power, as the kernel's supplies tell it")
struct PowerTests {
  private func power(_ supplies: [String: [String: String]]) throws -> PowerState {
    let files = try KernelFiles()
    try files.write(["/sys/class/power_supply/.keep": ""])
    for (name, attributes) in supplies { try files.supply(name, attributes) }
    return PowerState(
      of: PowerSupply.all(under: files.root), in: files.root.absolute(PowerSupply.folder))
  }

  static let onBattery = ["type": "Battery", "present": "1", "status": "Discharging"]

  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var supplies: [String: [String: String]]
    var isExternal: Bool
    var isAssumed = false
  }

  static let cases = [
    Case(
      testDescription: "mains online", supplies: ["AC": ["type": "Mains", "online": "1"]],
      isExternal: true),
    Case(
      testDescription: "mains offline, a battery",
      supplies: ["AC": ["type": "Mains", "online": "0"], "BAT0": onBattery], isExternal: false),
    Case(
      testDescription: "mains offline, USB-C online",
      supplies: [
        "AC": ["type": "Mains", "online": "0"], "BAT0": onBattery,
        "ucsi-1": ["type": "USB", "online": "1"],
      ], isExternal: true),
    Case(
      testDescription: "USB online at a programmable voltage",
      supplies: ["BAT0": onBattery, "ucsi-1": ["type": "USB", "online": "2"]], isExternal: true),
    Case(testDescription: "no battery at all", supplies: [:], isExternal: true),
    Case(
      testDescription: "mains offline and no battery",
      supplies: ["AC": ["type": "Mains", "online": "0"]], isExternal: true),
    Case(
      testDescription: "only a mouse's battery",
      supplies: ["hidpp": onBattery.merging(["scope": "Device"]) { $1 }], isExternal: true),
    Case(
      testDescription: "an empty battery bay",
      supplies: [
        "AC": ["type": "Mains", "online": "0"], "BAT1": ["type": "Battery", "present": "0"],
      ], isExternal: true),
    Case(
      testDescription: "a battery that discharges and no other supply",
      supplies: ["BAT0": onBattery], isExternal: false),
    Case(
      testDescription: "a battery that charges and no other supply",
      supplies: ["BAT0": ["type": "Battery", "status": "Charging"]], isExternal: true),
    Case(
      testDescription: "a battery that doesn't say and no other supply",
      supplies: ["BAT0": ["type": "Battery", "status": "Unknown"]], isExternal: true,
      isAssumed: true),
    Case(
      testDescription: "a mains entry without an answer, a battery that discharges",
      supplies: ["AC": ["type": "Mains"], "BAT0": onBattery], isExternal: false),
  ]

  @Test(arguments: cases)
  func `PL2: mains, or no battery, or nothing known is external power`(_ expected: Case) throws {
    let power = try power(expected.supplies)
    #expect(power.isExternal == expected.isExternal)
    #expect(power.isAssumed == expected.isAssumed)
  }

  @Test func `PL2: without the kernel's folder mains is assumed`() throws {
    let files = try KernelFiles()
    let power = PowerState(
      of: PowerSupply.all(under: files.root), in: files.root.absolute(PowerSupply.folder))
    #expect(power.isExternal)
    #expect(power.isAssumed)
    #expect(power.source == "\(files.path)/sys/class/power_supply")
  }

  @Test func `the supply that decided is named`() throws {
    let power = try power(["AC": ["type": "Mains", "online": "0"], "BAT0": Self.onBattery])
    #expect(power.source.hasSuffix("/sys/class/power_supply/AC"))
    #expect(power.batterySource.hasSuffix("/sys/class/power_supply/BAT0"))
  }

  @Test(
    arguments: [
      (["BAT0": ["capacity": "43", "energy_now": "1", "energy_full": "2"]], 43),
      // A small full battery beside a large empty one.
      (
        [
          "BAT0": ["capacity": "100", "energy_now": "20000000", "energy_full": "20000000"],
          "BAT1": ["capacity": "10", "energy_now": "6000000", "energy_full": "60000000"],
        ], 33
      ),
      // The same in charge: 2 Ah at 10 V beside 6 Ah at 10 V.
      (
        [
          "BAT0": [
            "charge_now": "2000000", "charge_full": "2000000", "voltage_min_design": "10000000",
          ],
          "BAT1": ["energy_now": "6000000", "energy_full": "60000000"],
        ], 33
      ),
      (["BAT0": ["capacity": "80"], "BAT1": ["capacity": "20"]], 50),
      (["BAT0": ["capacity": "80"], "BAT1": [:]], 80),
      (["BAT0": [:]], nil),
    ] as [([String: [String: String]], Int?)])
  func `several batteries count by their energy`(
    _ batteries: [String: [String: String]], _ percent: Int?
  ) throws {
    let power = try power(batteries.mapValues { $0.merging(["type": "Battery"]) { $1 } })
    #expect(power.batteryPercent == percent)
  }

  @Test func `a machine without a battery has no charge`() throws {
    #expect(try power(["AC": ["type": "Mains", "online": "1"]]).batteryPercent == nil)
  }

  @Test func `nonsense in the kernel's files is no answer`() throws {
    let power = try power([
      "AC": ["type": "Mains", "online": "perhaps"],
      "BAT0": [
        "type": "Battery", "capacity": "9999999999999999999", "charge_now": "9223372036854775807",
        "charge_full": "0", "voltage_min_design": "9223372036854775807",
      ],
    ])
    #expect(power.isExternal)
    #expect(power.isAssumed)
    #expect(power.batteryPercent == nil)
  }
}
