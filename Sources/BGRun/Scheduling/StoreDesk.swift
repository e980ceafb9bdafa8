import Dispatch
package import JobModel
import LinuxSystem
import Runner
import Synchronization
package import TaskHosts

/// Answers a program's questions from the store itself: for programs that are no workers. A runner
/// that is alive notices what changes at once.
package final class StoreDesk: SchedulerDesk {
  /// The desk of a process that was told nothing: its environment says which manifest and store.
  static let ofProcess = StoreDesk()

  private let manifests: [String]
  private let state: String?
  private let workplace = Mutex<Workplace?>(nil)
  /// Off the threads that run Swift tasks: a disk can be slow.
  private let queue = DispatchQueue(label: "bgrun.store-desk")

  /// - Parameters:
  ///   - manifests: paths; none has them found as commands find them.
  ///   - state: the store's folder; nil has it found as commands find it.
  package init(manifests: [String] = [], state: String? = nil) {
    self.manifests = manifests
    self.state = state
  }

  package var permissions: [HandlerPermission] {
    let found = try? withWorkplace { workplace throws(CommandFailure) in
      workplace.jobs?.handlerPermissions
    }
    return (found ?? nil) ?? []
  }

  package func ask(
    _ question: SchedulerQuestion, answer: @escaping @Sendable (SchedulerAnswer) -> Void
  ) {
    queue.async { [self] in answer(self.answer(question)) }
  }

  private func answer(_ question: SchedulerQuestion) -> SchedulerAnswer {
    do throws(CommandFailure) {
      return try withWorkplace { workplace throws(CommandFailure) in
        guard let store = workplace.store, let jobs = workplace.jobs else {
          throw .notDone("no manifest is known for the store in \(workplace.folder)")
        }
        return RequestDesk(store, jobs, at: Now.read().wall).answer(question)
      }
    } catch {
      return .failed(error.sentence)
    }
  }

  /// Opens the store when it is first needed, and keeps it open.
  private func withWorkplace<Value: Sendable>(
    _ body: (Workplace) throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> Value {
    let result: Result<Value, CommandFailure> = workplace.withLock { workplace in
      do throws(CommandFailure) {
        let opened: Workplace
        if let workplace {
          opened = workplace
        } else {
          let context = try CommandContext.ofProcess { .shared }
          opened = try Workplace.forActing(manifests: manifests, state: state, in: context)
          workplace = opened
        }
        return .success(try body(opened))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
