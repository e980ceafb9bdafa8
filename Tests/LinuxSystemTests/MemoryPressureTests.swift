import Glibc
import LinuxSystem
import Testing

@Suite("Pressure on memory")
struct MemoryPressureTests {
  private static let isWritable = access(MemoryPressure.file, W_OK) == 0

  @Test(.enabled(if: isWritable, "this kernel has no pressure stall information"))
  func `CP4: the kernel accepts the threshold, and a quiet machine is told of nothing`() throws {
    #expect(MemoryPressure.isOffered())
    let loop = try EventLoop()
    var count = 0
    let pressure = try MemoryPressure(on: loop) { count += 1 }
    // Whatever the machine does meanwhile, the watch itself reports nothing at once.
    try loop.runOnce(waitingAtMost: .zero)
    #expect(count <= 1)
    withExtendedLifetime(pressure) {}
  }

  @Test(.enabled(if: isWritable && getuid() == 0, "only root has privileges to give away"))
  func `CP4: it is accepted from a user without privileges`() async {
    await #expect(processExitsWith: .success) {
      guard setuid(65_534) == 0 else { exit(2) }
      exit(MemoryPressure.isOffered() ? 0 : 1)
    }
  }

  @Test func `CP4: where the kernel doesn't tell, nothing is offered`() throws {
    #expect(!MemoryPressure.isOffered(at: "/nowhere/memory"))
    let loop = try EventLoop()
    let error = #expect(throws: SystemError.self) {
      _ = try MemoryPressure(path: "/nowhere/memory", on: loop) {}
    }
    #expect(error?.subject == "/nowhere/memory")
  }
}
