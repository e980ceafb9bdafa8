import DeviceConditions
import JobModel
import LinuxSystem
import Testing

@Suite("Free space")
struct FreeSpaceTests {
  @Test func `nothing is sampled until it is asked for`() throws {
    let observation = try Observation(of: KernelFiles(), freeSpaceInterval: .milliseconds(1))
    try observation.settle()
    #expect(observation.observer.current.freeSpace.isEmpty)
    #expect(try !observation.wakes(within: .milliseconds(20)))
  }

  @Test func `the state directory and a named path are known at once`() throws {
    let observation = try Observation(of: KernelFiles())
    observation.observer.observeFreeSpace(["", "/"])
    let space = observation.observer.current.freeSpace
    #expect(Set(space.keys) == ["", "/"])
    #expect(space[""]?.source == "statvfs \(observation.files.path)")
    let free = try #require(space["/"]?.value)
    #expect(free > 0)
    try observation.settle()
    #expect(observation.told.count == 1)
  }

  @Test func `a path that isn't there yet is answered by the folder where it would be made`() throws
  {
    let observation = try Observation(of: KernelFiles())
    let path = "\(observation.files.path)/not/yet"
    observation.observer.observeFreeSpace([path])
    #expect(
      observation.observer.current.freeSpace[path]?.source
        == "statvfs \(observation.files.path)")
  }

  @Test func `it is sampled again while it is asked for, and no longer`() throws {
    let observation = try Observation(of: KernelFiles(), freeSpaceInterval: .milliseconds(1))
    observation.observer.observeFreeSpace([""])
    try observation.settle()
    #expect(try observation.wakes(within: .seconds(10)))
    #expect(try observation.wakes(within: .seconds(10)))
    observation.observer.observeFreeSpace([])
    try observation.settle()
    #expect(observation.observer.current.freeSpace.isEmpty)
    #expect(observation.told.last?.freeSpace.isEmpty == true)
    #expect(try !observation.wakes(within: .milliseconds(20)))
  }
}
