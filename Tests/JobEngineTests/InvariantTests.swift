import JobModel
import Testing

@Suite("Invariants under random events")
struct InvariantTests {
  @Test(arguments: 1...UInt64(12))
  func `limits hold, only applied claims launch, every run ends once, wakes lie ahead, fixpoint`(
    seed: UInt64
  ) throws {
    var life = try RandomLife(seed: seed)
    for _ in 0..<150 { try life.step() }
    try life.finish()
  }
}
