import BGRun
import Dispatch
import Foundation
import JobModel
import TaskHosts

/// One call of `register`, and what launches its tasks.
struct TaskRegistration: @unchecked Sendable {
  // Not Sendable, as Apple has it: the closure is only called on its queue.
  private let launchHandler: (BGTask) -> Void
  private let identifier: String
  private let site: CallSite
  private let queue: DispatchQueue

  init(
    _ identifier: String, at site: CallSite, on queue: DispatchQueue?,
    _ launchHandler: @escaping (BGTask) -> Void
  ) {
    self.identifier = identifier
    self.site = site
    self.launchHandler = launchHandler
    self.queue = queue ?? DispatchQueue(label: identifier, qos: .background)
  }

  func perform() -> Bool {
    guard !Scheduling.isSurveying else {
      // Only the name is asked for; nothing is launched there, so any kind will do.
      return !JobIdentifier(identifier).isWildcard && register(.processing)
    }
    let permissions = Scheduling.desk.permissions
    let permission = permissions.permission(for: identifier)
    guard let permission, !JobIdentifier(identifier).isWildcard else {
      return refuse(refusal(among: permissions))
    }
    let handler = permission.handlerName(for: identifier)
    guard handler == identifier else {
      return refuse(
        "the manifest gives it the handler '\(handler)'; leave 'handler' out there, and it is the "
          + "identifier")
    }
    return register(permission.kind)
  }

  private func register(_ kind: JobKind) -> Bool {
    let entry = HandlerRegistry.Entry(site: site) { run in launch(run, kind) }
    return HandlerRegistry.shared.register(entry, under: identifier)
  }

  /// LC1: the class is that of the kind.
  private func launch(_ run: HandlerRun, _ kind: JobKind) {
    let task: BGTask =
      switch kind {
      case .appRefresh: BGAppRefreshTask(run)
      case .processing: BGProcessingTask(run)
      case .continuedProcessing: BGContinuedProcessingTask(run)
      }
    queue.async { task.launch(launchHandler) }
  }

  private func refuse(_ cause: String) -> Bool {
    Misuse.warn("\(site): no launch handler was registered for \(identifier): \(cause)")
    return false
  }

  private func refusal(among permissions: [HandlerPermission]) -> String {
    if JobIdentifier(identifier).isWildcard {
      return "it is a pattern of the manifest; register each identifier that it permits, such as "
        + "\(identifier.dropLast())NAME"
    }
    guard !permissions.isEmpty else {
      return "no manifest was found, so nothing is permitted; name one with BGRUN_MANIFEST"
    }
    let near = SpellingDistance.nearest(
      to: identifier, among: permissions.map(\.identifier).sorted())
    return "the manifest has no such job with a handler"
      + (near.map { "; did you mean \($0)?" } ?? "")
  }
}
