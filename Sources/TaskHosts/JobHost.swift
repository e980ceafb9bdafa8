package import JobModel

/// Gives each run to the host for its action: a program or a Swift handler.
package final class JobHost: TaskHost {
  package var deliver: ((HostEvent) -> Void)? {
    didSet {
      commands.deliver = deliver
      handlers.deliver = deliver
    }
  }

  private let commands: any TaskHost
  private let handlers: any TaskHost

  package init(commands: any TaskHost, handlers: any TaskHost) {
    self.commands = commands
    self.handlers = handlers
  }

  package func launch(_ order: LaunchOrder) {
    if order.job.action.isCommand { commands.launch(order) } else { handlers.launch(order) }
  }

  /// A host ignores runs that aren't its own.
  package func warn(_ run: RunNumber, reason: Reason) {
    commands.warn(run, reason: reason)
    handlers.warn(run, reason: reason)
  }

  package func setForeground(_ run: RunNumber, _ isForeground: Bool) {
    commands.setForeground(run, isForeground)
    handlers.setForeground(run, isForeground)
  }

  package func kill(_ run: RunNumber) {
    commands.kill(run)
    handlers.kill(run)
  }

  package func enterBackground() {
    commands.enterBackground()
    handlers.enterBackground()
  }

  package func enterForeground() {
    commands.enterForeground()
    handlers.enterForeground()
  }

  /// The logs of both lie in the same place.
  package func removeOutput(of runs: [RunNumber], of identifier: JobIdentifier) {
    commands.removeOutput(of: runs, of: identifier)
  }

  /// Both kinds of leftovers are found by one look.
  package func removeLeftovers(
    of runs: [RunRecord], owner: Owner, completion: @escaping () -> Void
  ) {
    commands.removeLeftovers(of: runs, owner: owner, completion: completion)
  }
}
