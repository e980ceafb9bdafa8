import JobModel
import LinuxSystem
import Synchronization

/// The one thread on which the store works, so that a slow disk never holds up the loop.
///
/// Commits that are queued when it becomes free go into one transaction: the natural group commit,
/// which never waits for company.
final class StoreThread: Sendable {
  /// What came of one batch.
  typealias Answer = @Sendable (CommitReport) -> Void

  /// Identifiers that others have changed, as they are now.
  typealias Changes = @Sendable ([JobSnapshot]) -> Void

  private enum Work: Sendable {
    case commit([Transition], at: WallInstant, answer: Answer)
    case follow(after: Revision)
    case readChanges(awaitingWriter: Bool, answer: Changes)
    case perform(@Sendable (any JobStore) -> Void)
    case stop
  }

  private let queue = Mutex<[Work]>([])
  /// Rings once for each piece of work.
  private let bell = Bell()
  private let headLimit: Int

  /// Opens the store on a new thread.
  ///
  /// - Throws: `StoreFailure` when it can't be opened, or the thread can't be made.
  init(
    headLimit: Int, open: @escaping @Sendable () throws(StoreFailure) -> any JobStore
  ) throws(StoreFailure) {
    self.headLimit = headLimit
    let opened = Outcome<Void>()
    let code = DetachedThread.start { [self] in
      do throws(StoreFailure) {
        let store = try open()
        opened.put(.success(()))
        work(on: store)
      } catch {
        opened.put(.failure(error))
      }
    }
    guard code == 0 else {
      throw StoreFailure(
        cause: .unreachable,
        sentence: "cannot start the store's thread (error \(code)): "
          + "end some processes and try again")
    }
    try opened.take()
  }

  /// Proposes transitions; `answer` is called on the store's thread.
  func commit(
    _ transitions: [Transition], at now: WallInstant, answer: @escaping Answer
  ) {
    enqueue(.commit(transitions, at: now, answer: answer))
  }

  /// Counts everything up to this revision as read.
  func follow(after revision: Revision) {
    enqueue(.follow(after: revision))
  }

  /// Reads what others have changed since the last look; `answer` is called on the store's thread.
  ///
  /// - Parameter awaitingWriter: whether to wait for the end of a transaction that is under way.
  func readChanges(awaitingWriter: Bool, _ answer: @escaping Changes) {
    enqueue(.readChanges(awaitingWriter: awaitingWriter, answer: answer))
  }

  /// Lets `body` use the store, on its thread, after the work queued before it.
  func perform(_ body: @escaping @Sendable (any JobStore) -> Void) {
    enqueue(.perform(body))
  }

  /// Gives back what the store keeps in memory, and then all that the process has freed.
  func releaseUnusedMemory() {
    perform { store in
      store.releaseUnusedMemory()
      Memory.releaseUnused()
    }
  }

  /// Uses the store and waits for the result: for the start and the end of a runner only.
  ///
  /// - Throws: what `body` throws.
  func wait<Result: Sendable>(
    _ body: @escaping @Sendable (any JobStore) throws(StoreFailure) -> Result
  ) throws(StoreFailure) -> Result {
    let outcome = Outcome<Result>()
    perform { store in
      do throws(StoreFailure) {
        outcome.put(.success(try body(store)))
      } catch {
        outcome.put(.failure(error))
      }
    }
    return try outcome.take()
  }

  /// Ends the thread, and closes the store with it, after the work queued before it.
  func stop() {
    enqueue(.stop)
  }

  private func enqueue(_ work: Work) {
    queue.withLock { $0.append(work) }
    bell.ring()
  }

  private func work(on store: any JobStore) {
    var known = Revision(-1)
    while true {
      bell.wait()
      let batch = queue.withLock { queue in
        defer { queue = [] }
        return queue
      }
      var commits: [(transitions: [Transition], at: WallInstant, answer: Answer)] = []
      for work in batch {
        switch work {
        case .commit(let transitions, let at, let answer):
          commits.append((transitions, at, answer))
        case .follow(let revision): known = revision
        case .readChanges(let awaitingWriter, let answer):
          commitTogether(&commits, to: store, &known)
          // A store that can't be waited for is read as it is.
          if awaitingWriter { try? store.awaitWriter() }
          answer(changes(in: store, since: &known))
        case .perform(let body):
          commitTogether(&commits, to: store, &known)
          body(store)
        case .stop:
          commitTogether(&commits, to: store, &known)
          return
        }
      }
      commitTogether(&commits, to: store, &known)
    }
  }

  /// What is newer than the last look and this thread's own commits.
  private func changes(in store: any JobStore, since known: inout Revision) -> [JobSnapshot] {
    // A store that can't be read now says so at the next commit; nothing is lost by waiting.
    guard let (revision, changed) = try? store.changes(since: known) else {
      return []
    }
    guard !changed.isEmpty else {
      known = revision
      return []
    }
    guard let snapshots = try? store.snapshots(of: changed, headLimit: headLimit) else { return [] }
    known = revision
    return snapshots
  }

  /// One transaction for all of them; each gets its own verdicts, and the first the snapshots, which
  /// show the state after the whole.
  private func commitTogether(
    _ commits: inout [(transitions: [Transition], at: WallInstant, answer: Answer)],
    to store: any JobStore, _ known: inout Revision
  ) {
    guard let newest = commits.map(\.at).max() else { return }
    let report = store.commit(
      commits.flatMap(\.transitions), at: newest, headLimit: headLimit)
    // Any further away, and somebody else's change lies in between, still to be read.
    if report.revision.value - 1 == known.value { known = report.revision }
    var rest = report.verdicts[...]
    for (index, commit) in commits.enumerated() {
      let verdicts = Array(rest.prefix(commit.transitions.count))
      rest = rest.dropFirst(commit.transitions.count)
      commit.answer(
        CommitReport(
          revision: report.revision, verdicts: verdicts,
          snapshots: index == 0 ? report.snapshots : []))
    }
    commits = []
  }
}

/// Carries one result from the store's thread to the one that waits for it.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, StoreFailure>?>(nil)
  private let arrived = Bell()

  func put(_ outcome: Result<Value, StoreFailure>) {
    result.withLock { $0 = outcome }
    arrived.ring()
  }

  /// - Throws: what was put, or that nothing was within the bound that every wait has (PL14).
  func take() throws(StoreFailure) -> Value {
    guard arrived.wait(atMost: .seconds(15)), let outcome = result.withLock({ $0 }) else {
      throw StoreFailure(
        cause: .unreachable,
        sentence: "the store has not answered for 15 s: its disk may be stuck; "
          + "check it and start again")
    }
    return try outcome.get()
  }
}
