import Glibc
import JobModel
import StoreConformance
import Synchronization
import Testing

@testable import SQLiteStore

/// The stores that must keep the contract.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case sqlite

  var testDescription: String { rawValue }

  /// A new, empty store.
  func make() throws -> any StoreUnderTest {
    switch self {
    case .memory: MemoryStoreUnderTest()
    case .sqlite: try SQLiteStoreUnderTest()
    }
  }
}

/// An empty store with what a test needs to share and to hurt it.
protocol StoreUnderTest: AnyObject, Sendable {
  /// A handle as a further process would have it.
  func handle() throws -> any JobStore

  /// A new owner, alive until it is killed or leaves.
  func join() throws -> Owner

  /// Ends the owner as SIGKILL would.
  func kill(_ owner: Owner)

  /// Runs `body` while no handle can write.
  func whileBroken(_ body: () throws -> Void) throws
}

final class MemoryStoreUnderTest: StoreUnderTest {
  private let world = MemoryWorld()

  func handle() -> any JobStore { MemoryStore(world) }

  func join() throws -> Owner {
    try MemoryStore(world).join(host: "here", processID: 7, at: .noon)
  }

  func kill(_ owner: Owner) { world.kill(owner) }

  func whileBroken(_ body: () throws -> Void) throws {
    world.fail(with: StoreFailure(cause: .readOnly, sentence: "it is read-only"))
    defer { world.fail(with: nil) }
    try body()
  }
}

final class SQLiteStoreUnderTest: StoreUnderTest {
  private let folder: TemporaryFolder
  private let open = Mutex(Open())

  /// Stores are only used by the thread that a test gives them to; here they are kept alive.
  private struct Open: @unchecked Sendable {
    var handles: [SQLiteStore] = []
    var owners: [Fence: SQLiteStore] = [:]
  }

  init() throws {
    folder = try TemporaryFolder()
  }

  var path: String { folder.path }

  func handle() throws -> any JobStore {
    let store = try SQLiteStore(path: folder.path, patience: .longer)
    open.withLock { $0.handles.append(store) }
    return store
  }

  /// Each owner has a handle of its own, as each process has: its lock goes with it.
  func join() throws -> Owner {
    let store = try SQLiteStore(path: folder.path, patience: .longer)
    let owner = try store.join(host: "here", processID: 7, at: .noon)
    open.withLock { $0.owners[owner.fence] = store }
    return owner
  }

  func kill(_ owner: Owner) {
    open.withLock { open in
      open.owners[owner.fence]?.dropLock(of: owner)
      open.owners[owner.fence] = nil
    }
  }

  func whileBroken(_ body: () throws -> Void) throws {
    for store in open.withLock({ $0.handles }) {
      try store.connection.execute("PRAGMA query_only = ON")
    }
    defer {
      for store in open.withLock({ $0.handles }) {
        try? store.connection.execute("PRAGMA query_only = OFF")
      }
    }
    try body()
  }
}

extension SQLiteStore {
  /// Drops an owner's lock as the end of all of its processes does: a program that another test is
  /// about to start shares this one's descriptors for a moment.
  func dropLock(of owner: Owner) {
    if let descriptor = livenessDescriptor(of: owner) { flock(descriptor, LOCK_UN) }
  }
}
