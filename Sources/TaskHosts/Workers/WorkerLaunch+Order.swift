import JobModel

extension WorkerLaunch {
  /// What the handler of this order is told.
  init(_ order: LaunchOrder, stateDirectory: String, backgroundTime: Duration) {
    let job = order.job
    let request = order.request
    let folder = JobFolder(
      stateDirectory: stateDirectory, identifier: request.identifier, key: request.key)
    self.init(
      run: order.run, identifier: request.identifier.text, key: request.key,
      handler: Self.handlerName(of: order), parameters: request.parameters ?? job.parameters,
      attempt: request.attempt, scheduledFor: request.scheduledAt, deadline: order.deadline,
      monotonicDeadline: order.monotonicDeadline, title: request.title ?? job.title,
      subtitle: request.subtitle ?? job.subtitle,
      jobFolder: folder.path, manifestFolder: job.manifestFolder,
      backgroundTime: backgroundTime)
  }

  private static func handlerName(of order: LaunchOrder) -> String {
    guard case .handler(let name) = order.job.action else { return order.request.identifier.text }
    return HandlerPermission(
      identifier: order.job.identifier.text, kind: order.job.kind, handler: name
    ).handlerName(for: order.request.identifier.text)
  }
}
