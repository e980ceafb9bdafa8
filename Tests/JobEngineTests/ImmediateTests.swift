import JobEngine
import JobModel
import Testing

@Suite("run --now")
struct ImmediateTests {
  private func runner(
    _ definition: JobDefinition, others: [JobDefinition] = [],
    mode: EngineConfiguration.Mode = .once, device: DeviceState? = nil,
    behaviour: Behaviour = .succeeds(after: .seconds(10))
  ) throws -> VirtualRunner {
    let runner = try VirtualRunner([definition] + others, device: device) {
      $0.mode = mode
      $0.startNow = [definition.identifier]
    }
    runner.host.script = { _, _ in behaviour }
    try runner.start()
    return runner
  }

  private var powered: JobDefinition {
    job(every: .seconds(3600)) {
      $0.conditions.requiresExternalPower = true
      $0.retry.maxAttempts = 5
    }
  }

  @Test func `PL19: unmet gates are printed and passed by, and their conditions not watched`()
    throws
  {
    let runner = try runner(powered, device: onBattery())
    runner.run(for: .seconds(60))
    let passed = runner.notices.compactMap { notice -> [Reason]? in
      if case .gatesPassedBy(_, let gates) = notice { gates.map(\.gate) } else { nil }
    }
    #expect(passed == [[.requiresExternalPower]])
    #expect(try runner.outcomes() == [.succeeded])
    #expect(runner.summary?.succeeded == 1)
  }

  @Test func `PL19: one attempt, no retry, no anchor moved, and nothing else runs`() throws {
    let runner = try runner(
      powered, others: [job("com.example.other", every: .seconds(60))], behaviour: .exits(1))
    runner.run(for: .seconds(3600))
    #expect(runner.launched.count == 1)
    #expect(try runner.outcomes() == [.failed])
    #expect(try runner.snapshot("com.example.job").record.anchor == nil)
    #expect(runner.summary?.failed == 1)
  }

  @Test func `PL19: what was met at the launch is watched`() throws {
    let runner = try runner(powered, mode: .continuous, behaviour: .runsForEver)
    runner.run(for: .seconds(1))
    runner.update { $0.externalPower.value = false }
    runner.run(for: .seconds(20))
    #expect(runner.warnings == [.requiresExternalPower])
  }

  @Test func `PL19, PL1: free space is read before it is judged`() throws {
    let needy = job { $0.conditions.minimumFreeSpace = FreeSpaceRequirement(bytes: 1 << 50) }
    let runner = try runner(needy, behaviour: .succeeds(after: .seconds(60)))
    runner.run(for: .seconds(120))
    let passed = runner.notices.flatMap { notice -> [String] in
      if case .gatesPassedBy(_, let gates) = notice { gates.map(\.value) } else { [] }
    }
    #expect(passed == ["1024GiB free (statvfs)"])
    #expect(runner.warnings == [])
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test func `PL14: free space that nobody can read is waited for in vain only so long`() throws {
    let space = FreeSpaceRequirement(path: "/missing", bytes: 1)
    let runner = try runner(job { $0.conditions.minimumFreeSpace = space })
    runner.run(for: .seconds(60))
    #expect(runner.launchSeconds() == [5])
    #expect(try runner.outcomes() == [.succeeded])
  }

  @Test func `PL19: a disabled job is refused`() throws {
    let runner = try runner(job { $0.isEnabled = false })
    #expect(runner.summary?.refusal?.contains("enabled: false") == true)
    #expect(runner.launched.isEmpty)
  }

  @Test func `PL19: a running one is refused`() throws {
    let first = try VirtualRunner([job(every: .seconds(3600))])
    first.host.script = { _, _ in .runsForEver }
    try first.start()
    let second = try VirtualRunner([job()], world: first.world) {
      $0.startNow = ["com.example.job"]
    }
    try second.start()
    #expect(second.summary?.refusal == "com.example.job is running already, as run 1")
    #expect(first.summary == nil)
  }

  @Test func `SB3: an unknown one is refused, with the nearest`() throws {
    let runner = try VirtualRunner([job()]) { $0.startNow = ["com.example.jbo"] }
    try runner.start()
    #expect(runner.summary?.refusal?.contains("did you mean com.example.job?") == true)
  }

  @Test func `PL19: it passes limits by`() throws {
    let runner = try VirtualRunner(
      [job("com.example.a"), job("com.example.b")], limits: ConcurrencyLimits(total: 1)
    ) { $0.startNow = ["com.example.a", "com.example.b"] }
    runner.host.script = { _, _ in .succeeds(after: .seconds(10)) }
    try runner.start()
    runner.run(for: .seconds(5))
    #expect(runner.launched.count == 2)
  }
}
