package import JobModel
import LinuxSystem
import Synchronization
import TaskHosts

/// This program's requests: what its own code submits, cancels and asks for, in either way of
/// writing handlers.
package enum Scheduling {
  private static let chosen = Mutex<(any SchedulerDesk)?>(nil)

  /// The desk in use; the store's own while nobody has chosen another.
  package static var desk: any SchedulerDesk {
    chosen.withLock { chosen in
      let desk = chosen ?? StoreDesk.ofProcess
      chosen = desk
      return desk
    }
  }

  private static var isDeskChosen: Bool { chosen.withLock { $0 != nil } }

  /// Has questions go to `desk`; nil brings the first choice back.
  package static func use(_ desk: (any SchedulerDesk)?) {
    chosen.withLock { $0 = desk }
  }

  /// Has questions go to `desk` from now on, unless the one in use gives way to none.
  package static func adopt(_ desk: any SchedulerDesk) {
    chosen.withLock { chosen in
      if chosen?.givesWay ?? true { chosen = desk }
    }
  }

  private static let surveys = Mutex(0)

  /// Whether handlers are registered only to be known by name, in a process that runs none: what
  /// the manifest permits is then for the workers to look at (RG1).
  package static var isSurveying: Bool { surveys.withLock { $0 > 0 } }

  /// Registers handlers in a process that runs none.
  static func survey(_ register: () -> HandlerRegistry) -> HandlerRegistry {
    surveys.withLock { $0 += 1 }
    defer { surveys.withLock { $0 -= 1 } }
    return register()
  }

  /// Submits a request; a permitted one for which no handler is registered is a fatal programming
  /// error (SB3).
  package static func submit(
    _ request: SubmissionRequest, to chosen: (any SchedulerDesk)? = nil,
    answer: @escaping @Sendable (SchedulerAnswer) -> Void
  ) {
    guard !isSurveying || isDeskChosen else {
      return answer(
        .failed("nothing is submitted by a command that only looks at which handlers there are"))
    }
    let desk = chosen ?? desk
    desk.withPermissions { permissions in
      if desk.finishesLaunching {
        desk.registry.finishLaunchingAtFirstUse(permitting: permissions)
      }
      if let sentence = misuse(request.identifier, permissions, desk.registry) {
        Misuse.stop(sentence)
        return answer(.failed(sentence))
      }
      desk.ask(.submit(request), answer: answer)
    }
  }

  /// What is wrong with submitting it: a permitted one without a handler (SB3).
  private static func misuse(
    _ identifier: JobIdentifier, _ permissions: [HandlerPermission], _ registry: HandlerRegistry
  ) -> String? {
    guard !identifier.isWildcard, let permission = permissions.permission(for: identifier.text),
      registry.entry(named: permission.handlerName(for: identifier.text)) == nil
    else { return nil }
    return "No launch handler registered for task with identifier \(identifier); "
      + "register it before submitting a request for it"
  }

  /// Asks and waits for the answer: for calls that Apple's interface has synchronous.
  package static func wait(
    for ask: (@escaping @Sendable (SchedulerAnswer) -> Void) -> Void
  ) -> SchedulerAnswer {
    let answer = Mutex<SchedulerAnswer?>(nil)
    let arrived = Bell()
    ask { given in
      answer.withLock { $0 = given }
      arrived.ring()
    }
    // PL14: every wait has a bound.
    guard arrived.wait(atMost: .seconds(15)), let answer = answer.withLock({ $0 }) else {
      return .failed("the runner has not answered for 15 s: its store's disk may be stuck")
    }
    return answer
  }
}
