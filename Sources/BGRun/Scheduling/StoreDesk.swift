import Dispatch
package import JobModel
import LinuxSystem
import Runner
import SQLiteStore
import Synchronization
package import TaskHosts

/// Answers a program's questions from the store itself: for programs that are no workers. A runner
/// that is alive notices what changes at once.
package final class StoreDesk: SchedulerDesk {
  /// The desk of a process that was told nothing: its environment says which manifest and store.
  static let ofProcess = StoreDesk()

  /// The store, kept open, with the job set that its runner runs.
  fileprivate struct Place {
    var workplace: Workplace
    /// The job set of the store when it was last looked at: another one is another manifest in force.
    var digest: String?
  }

  package let registry: HandlerRegistry
  package let finishesLaunching = true
  private let manifests: [String]
  private let state: String?
  private let place = Mutex<Place?>(nil)
  /// Off the threads that run Swift tasks: a disk can be slow.
  private let queue = DispatchQueue(label: "bgrun.store-desk")

  /// - Parameters:
  ///   - manifests: paths; none has them found as commands find them.
  ///   - state: the store's folder; nil has it found as commands find it.
  ///   - registry: the handlers of the program that asks.
  package init(
    manifests: [String] = [], state: String? = nil, registry: HandlerRegistry = .shared
  ) {
    self.manifests = manifests
    self.state = state
    self.registry = registry
  }

  package var permissions: [HandlerPermission] {
    let found = withWorkplace { workplace throws(CommandFailure) in
      workplace.jobs?.handlerPermissions
    }
    return (try? found.get()).flatMap { $0 } ?? []
  }

  package func withPermissions(_ body: @escaping @Sendable ([HandlerPermission]) -> Void) {
    queue.async { [self] in body(permissions) }
  }

  package func ask(
    _ question: SchedulerQuestion, answer: @escaping @Sendable (SchedulerAnswer) -> Void
  ) {
    queue.async { [self] in answer(self.answer(question)) }
  }

  private func answer(_ question: SchedulerQuestion) -> SchedulerAnswer {
    let answer = withWorkplace { workplace throws(CommandFailure) in
      guard let store = workplace.store, let jobs = workplace.jobs else {
        throw .notDone("no manifest is known for the store in \(workplace.folder)")
      }
      let desk = RequestDesk(store, jobs, at: Now.read().wall) { [registry] in
        guard let context = try? CommandContext.embedded(handlers: registry, shown: ShownText())
        else { return nil }
        return try? MachineConditions.read(folder: workplace.folder, paths: [], in: context)
      }
      return desk.answer(question)
    }
    switch answer {
    case .success(let answer): return answer
    case .failure(let refusal): return .failed(refusal.sentence)
    }
  }

  /// Why the desk can't answer.
  private struct Refusal: Error {
    let sentence: String
  }

  /// Opens the store when it is first needed, and follows the manifest that is in force there.
  private func withWorkplace<Value: Sendable>(
    _ body: (Workplace) throws(CommandFailure) -> Value
  ) -> Result<Value, Refusal> {
    place.withLock { place in
      let shown = ShownText()
      do throws(CommandFailure) {
        if place == nil { place = try open(showing: shown) }
        if var current = place, try current.isOutdated {
          try current.follow(in: .embedded(handlers: registry, shown: shown))
          place = current
        }
        guard let current = place else { throw .fault("the store was not opened") }
        return .success(try body(current.workplace))
      } catch .findings {
        return .failure(Refusal(sentence: "the manifest can't be used:\n\(shown.take())"))
      } catch {
        return .failure(Refusal(sentence: error.sentence))
      }
    }
  }

  private func open(showing shown: ShownText) throws(CommandFailure) -> Place {
    let workplace = try Workplace.forActing(
      manifests: manifests, state: state, in: .embedded(handlers: registry, shown: shown))
    return Place(workplace: workplace, digest: try workplace.storedDigest())
  }
}

extension StoreDesk.Place {
  /// Whether a runner has put another job set into the store: after a reload.
  fileprivate var isOutdated: Bool {
    get throws(CommandFailure) { try workplace.storedDigest() != digest }
  }

  /// Takes over the job set of the store.
  fileprivate mutating func follow(in context: CommandContext) throws(CommandFailure) {
    digest = try workplace.storedDigest()
    workplace = try workplace.withStoredJobs(in: context)
  }
}

extension Workplace {
  fileprivate func storedDigest() throws(CommandFailure) -> String? {
    do {
      return try store?.jobSetDigest()
    } catch {
      throw .store(error)
    }
  }

  /// The same store with the job set that its runner last ran.
  fileprivate func withStoredJobs(in context: CommandContext) throws(CommandFailure) -> Workplace {
    do throws(StoreFailure) {
      guard let stored = try store?.loadJobSet() else { return self }
      let loaded = try? JobSetReading(context).load(stored)
      return Workplace(folder: folder, store: store, loaded: loaded ?? self.loaded)
    } catch {
      throw .store(error)
    }
  }
}
