import BGRun
import JobModel
import TaskHosts

/// A desk without a store: for a process that is to end before it asks.
struct PermittingDesk: SchedulerDesk {
  var givesWay: Bool { false }

  var permissions = [
    HandlerPermission(
      identifier: "com.example.app.refresh", kind: .appRefresh, handler: "com.example.app.refresh")
  ]

  func ask(
    _ question: SchedulerQuestion, answer: @escaping @Sendable (SchedulerAnswer) -> Void
  ) {
    answer(.failed("there is no store"))
  }
}
