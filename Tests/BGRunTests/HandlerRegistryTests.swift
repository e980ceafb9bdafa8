import BGRun
import JobModel
import Synchronization
import TaskHosts
import Testing

@Suite("The registry of handlers")
struct HandlerRegistryTests {
  private let registry = HandlerRegistry()

  /// What the trap was told while `body` ran.
  private func misuses(_ body: () -> Void) -> [String] {
    let told = Told()
    Misuse.$trapOfTask.withValue({ sentence in told.add(sentence) }, operation: body)
    return told.sentences
  }

  private final class Told: Sendable {
    private let kept = Mutex<[String]>([])
    var sentences: [String] { kept.withLock { $0 } }
    func add(_ sentence: String) { kept.withLock { $0.append(sentence) } }
  }

  @Test func `RG1: a handler is found by its name`() {
    registry.handle("com.example.a") { _ in }
    #expect(registry.names == ["com.example.a"])
    #expect(registry.entry(named: "com.example.a") != nil)
    #expect(registry.entry(named: "com.example.b") == nil)
  }

  @Test func `RG4: a second registration is fatal and names both call sites`() {
    registry.handle("com.example.a", fileID: "App/First.swift", line: 3) { _ in }
    let told = misuses {
      registry.handle("com.example.a", fileID: "App/Second.swift", line: 7) { _ in }
    }
    #expect(
      told == [
        "App/Second.swift:7: a handler for com.example.a is already registered at App/First.swift:3"
      ])
  }

  @Test func `RG7: a pattern can't be handled itself`() {
    let told = misuses {
      registry.handle("com.example.export.*", fileID: "App/A.swift", line: 1) { _ in }
    }
    #expect(told.count == 1)
    #expect(told[0].contains("com.example.export.* is a pattern"))
    #expect(registry.names.isEmpty)
  }

  @Test func `RG2: too late for appRefresh and processing; RG3: in time for a continued task`() {
    registry.finishLaunching(permitting: [
      HandlerPermission(identifier: "com.example.a", kind: .appRefresh, handler: "a"),
      HandlerPermission(identifier: "com.example.c", kind: .continuedProcessing, handler: "c"),
    ])
    let told = misuses {
      registry.handle("a", fileID: "App/A.swift", line: 1) { _ in }
      registry.handle("c") { _ in }
    }
    #expect(
      told == [
        "App/A.swift:1: All launch handlers must be registered before application finishes "
          + "launching; a came later"
      ])
    #expect(registry.names == ["c"])
  }

  @Test(arguments: [false, true])
  func `RG2: launch finishes at the first use, unless the program's commands finish it`(
    isLaunchedByCommands: Bool
  ) {
    let permissions = [HandlerPermission(identifier: "a", kind: .processing, handler: "a")]
    if isLaunchedByCommands { registry.leaveLaunchToCommands() }
    registry.finishLaunchingAtFirstUse(permitting: permissions)
    // A second use doesn't take the first one's manifest away.
    registry.finishLaunchingAtFirstUse(permitting: [])
    let told = misuses { registry.handle("a") { _ in } }
    #expect(told.isEmpty == isLaunchedByCommands)
    registry.finishLaunching(permitting: permissions)
    #expect(misuses { registry.handle("a") { _ in } }.count == 1)
  }

  @Test func `a reset registry knows nothing`() {
    registry.handle("com.example.a") { _ in }
    registry.finishLaunching(permitting: [
      HandlerPermission(identifier: "a", kind: .processing, handler: "a")
    ])
    registry.reset()
    #expect(misuses { registry.handle("a") { _ in } }.isEmpty)
    #expect(registry.names == ["a"])
  }
}
