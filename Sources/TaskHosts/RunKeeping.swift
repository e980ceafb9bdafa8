package import JobModel
package import LinuxSystem

/// The keeper that all hosts of a runner share, replaced when somebody killed it, and the names by
/// which leftovers of a store's runs are found.
///
/// Make it early, while the heap is small: the keeper is forked from it, or else when the first run
/// needs it. When it is released, what still runs is killed.
package final class RunKeeping {
  private let containment: Keeper.Containment
  private let loop: EventLoop
  private var keeper: Keeper?
  private var held: [Int32] = []
  /// Names the store, so that control groups of a run are found again whoever looks, and those of
  /// another store with the same run's number are not.
  let storeName: String
  private var workerCount = 0
  /// Whether this process may lower a niceness to these again.
  private var waysBack: [Int32: Bool] = [:]

  /// - Parameters:
  ///   - stateDirectory: absolute path of the store's folder, which exists.
  ///   - forksAtOnce: false where no command may ever have to be started.
  /// - Throws: `SystemError` when the keeper can't be forked.
  package init(
    stateDirectory: String, containment: Keeper.Containment = .automatic,
    forksAtOnce: Bool = true, on loop: EventLoop
  ) throws(SystemError) {
    self.containment = containment
    self.loop = loop
    let folder = try Files.status(stateDirectory)
    let store = StableHash.of([
      stateDirectory, String(folder?.device ?? 0), String(folder?.inode ?? 0),
    ])
    storeName = String(store, radix: 16)
    if forksAtOnce { _ = try current() }
  }

  /// Keeps a descriptor open until whatever a killed runner's runs have left is gone: the lock that
  /// proves this owner alive (DU2).
  package func hold(_ descriptor: Int32) throws(SystemError) {
    held.append(descriptor)
    try keeper?.hold(descriptor)
  }

  /// The keeper, a new one where the last was killed.
  func current() throws(SystemError) -> Keeper {
    if let keeper, !keeper.isGone { return keeper }
    let keeper = try Keeper(containment: containment, on: loop) { [unowned self] in
      // Whoever killed it, the next launch has a new one; the runs it kept tell of their end.
      self.keeper = nil
    }
    for descriptor in held { try keeper.hold(descriptor) }
    self.keeper = keeper
    return keeper
  }

  /// The control group of a command's run.
  func groupName(of run: RunNumber) -> String { "bgrun-\(storeName)-\(run)" }

  /// The control group of a new worker: named after its owner, since it outlives its runs.
  func workerGroupName(of owner: Fence) -> String {
    workerCount += 1
    return "\(workerPrefix(of: owner))\(workerCount)"
  }

  private func workerPrefix(of owner: Fence) -> String {
    "bgrun-\(storeName)-worker-\(owner.value)-"
  }

  /// Moves everything that runs under a program behind other work, or back (CP9).
  ///
  /// Behind is where jobs of the quality `background` are; what is there already stays.
  func setForeground(_ spawned: SpawnedRun, _ quality: QualityOfService, _ isForeground: Bool) {
    let usual = min(Priority.own + quality.niceness, 19)
    let behind = min(Priority.own + QualityOfService.background.niceness, 19)
    guard usual < behind else { return }
    spawned.move(
      to: isForeground
        ? .usual
        : .behind(niceness: behind, usual: mayReturn(to: usual, from: behind) ? usual : nil))
  }

  private func mayReturn(to usual: Int32, from behind: Int32) -> Bool {
    if let known = waysBack[usual] { return known }
    let mayReturn = Priority.mayReturn(to: usual, from: behind)
    waysBack[usual] = mayReturn
    return mayReturn
  }

  /// Ends what runs and workers of a dead owner may have left behind (DU2).
  ///
  /// In the supervisor's level there is nothing left once the owner's lock has dropped: its keeper
  /// held it until then.
  package func removeLeftovers(
    of runs: [RunRecord], owner: Owner, completion: @escaping () -> Void
  ) {
    let names = Set(runs.map { groupName(of: $0.run) })
    let workers = workerPrefix(of: owner.fence)
    ControlGroups.killLeftovers(
      named: { names.contains($0) || $0.hasPrefix(workers) }, on: loop, completion)
  }
}
