import DeviceConditions
import JobEngine
import JobModel
import LinuxSystem
import Runner
import StoreConformance
import TaskHosts
import Testing

/// Starts that fail: in a server's process, what they leave behind would stay for as long as it lives.
@Suite("A runner that can't start")
struct RunnerStartTests {
  private let world = MemoryWorld()

  private func start(with host: () throws(SystemError) -> any TaskHost) throws {
    let jobSet = JobSet(
      app: "com.example", concurrency: ConcurrencyLimits(total: 1), jobs: [], digest: "1")
    var configuration = RunnerConfiguration(
      loaded: LoadedJobSet(jobSet: jobSet, stored: StoredJobSet(digest: "1", sources: [])),
      engine: EngineConfiguration(
        mode: .continuous, machineID: "m", builtAt: WallInstant(seconds: 0)),
      stateDirectory: "/nonexistent", hostName: "here", environment: [:],
      memoryPressureFile: "/nonexistent",
      watchedManifests: [], reload: { .invalid }, show: { _, _ in })
    configuration.ownsProcess = false
    let loop = try EventLoop()
    let device = try DeviceObserver(
      root: SystemRoot("/nonexistent"), stateDirectory: "/", loop: loop,
      clock: { Now(wall: WallInstant(seconds: 0), monotonic: MonotonicInstant(nanoseconds: 0)) })
    let world = world
    _ = try Runner(
      configuration, loop: loop, device: device,
      makeHost: { _, _, _ throws(SystemError) in try host() },
      open: { () throws(StoreFailure) in MemoryStore(world) })
  }

  @Test func `leaves the store when its host can't be made`() throws {
    #expect(throws: SystemError.self) {
      try start { () throws(SystemError) in throw SystemError("fork", code: 11) }
    }
    #expect(try MemoryStore(world).owners().isEmpty)
  }

  @Test func `leaves the store when something can't be watched`() throws {
    #expect(throws: SystemError.self) {
      try start { () throws(SystemError) in IdleHost() }
    }
    #expect(try MemoryStore(world).owners().isEmpty)
  }

  @Test func `says why the store can't be joined`() throws {
    world.fail(with: StoreFailure(cause: .readOnly, sentence: "read-only"))
    let failure = #expect(throws: StoreFailure.self) {
      try start { () throws(SystemError) in IdleHost() }
    }
    #expect(failure?.cause == .readOnly)
  }

  private final class IdleHost: TaskHost {
    var deliver: ((HostEvent) -> Void)?
    func launch(_ order: LaunchOrder) {}
    func warn(_ run: RunNumber, reason: Reason) {}
    func setForeground(_ run: RunNumber, _ isForeground: Bool) {}
    func kill(_ run: RunNumber) {}
    func removeOutput(of runs: [RunNumber], of identifier: JobIdentifier) {}
    func removeLeftovers(
      of runs: [RunRecord], owner: Owner, completion: @escaping () -> Void
    ) {
      completion()
    }
  }
}
