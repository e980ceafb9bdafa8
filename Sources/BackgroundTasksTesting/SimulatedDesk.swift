import BGRun
import JobModel
import Synchronization
import TaskHosts

/// The store of one test, with a foreground that the test decides about (CP1).
final class SimulatedDesk: SchedulerDesk {
  private let store: StoreDesk
  private let foreground = Mutex(true)

  init(_ store: StoreDesk) {
    self.store = store
  }

  var isInForeground: Bool {
    get { foreground.withLock { $0 } }
    set { foreground.withLock { $0 = newValue } }
  }

  var permissions: [HandlerPermission] { store.permissions }

  var givesWay: Bool { false }

  func ask(
    _ question: SchedulerQuestion, answer: @escaping @Sendable (SchedulerAnswer) -> Void
  ) {
    guard case .submit(var request) = question else { return store.ask(question, answer: answer) }
    request.isUserInitiated = isInForeground
    store.ask(.submit(request), answer: answer)
  }
}
