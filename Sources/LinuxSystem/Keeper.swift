internal import CLinux
internal import Glibc

/// The small process that starts, reaps and kills everything that runs started, and that cleans up
/// when the runner is killed (LC5, DU2). How it works is told in CLinux's keeper.h.
///
/// Start it early: it is forked without exec, so what the heap holds then, it keeps.
package final class Keeper {
  /// How runs are contained.
  package enum Containment: String, CaseIterable, Sendable {
    /// A control group where one can be made, else a supervisor.
    case automatic
    /// Always a supervisor: a subreaper above each run that walks its children.
    case supervisor
  }

  /// The keeper's own process.
  package let process: Int32
  private let control: Int32
  private let noInput: Descriptor
  private let groups: ControlGroups?
  private unowned let loop: EventLoop
  private var watch: Watch?

  /// Forks the keeper.
  ///
  /// `lost` is called when somebody killed the keeper: runs in progress report their loss by
  /// themselves, new ones need a new keeper.
  package init(
    containment: Containment = .automatic, on loop: EventLoop, lost: @escaping () -> Void
  ) throws(SystemError) {
    noInput = try Descriptor.open("/dev/null", O_RDONLY)
    groups = containment == .automatic ? ControlGroups() : nil
    self.loop = loop
    var number: Int32 = -1
    process = try checkNegated(unsafe bgrun_keeper_start(&number), "fork")
    control = number
    watch = try loop.watch(number, for: .readable) { [unowned self] _ in
      // It never writes here: readable means that it is gone.
      watch?.cancel()
      lost()
    }
  }

  /// Ends what still runs, waits for that, and reaps the keeper.
  deinit {
    watch?.cancel()
    close(control)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR { continue }
  }

  /// Whether somebody killed it, also before `lost` has been called.
  package var isGone: Bool {
    var socket = pollfd(fd: control, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&socket, 1, 0) > 0
  }

  /// Lets the keeper, too, hold what proves this process alive, until it has cleaned up after a
  /// runner that was killed (DU2).
  package func hold(_ descriptor: Int32) throws(SystemError) {
    try checkNegated(bgrun_keeper_hold(control, descriptor), "sendmsg", "the keeper")
  }

  /// Starts a program whose standard output and error go to `output`, which stays the caller's.
  ///
  /// - Parameters:
  ///   - group: the name of the run's control group, where one can be made: at most 111 bytes, no
  ///     slash, and the same one after a crash, so that leftovers are found.
  ///   - input: its standard input, which stays the caller's; nil is nothing to read.
  ///   - handler: called on the loop's thread; its last report is `launchFailed` or `ended`.
  package func launch(
    _ program: ProgramLaunch, group: String, input: Int32? = nil, output: Int32,
    _ handler: @escaping (SpawnedRun.Report) -> Void
  ) throws(SystemError) -> SpawnedRun {
    let name = groups == nil ? "" : group
    let order = try program.order(group: name)
    var near: Int32 = -1
    var far: Int32 = -1
    try checkNegated(unsafe bgrun_run_sockets(&near, &far), "socketpair")
    let nearEnd = Descriptor(owning: near)
    let farEnd = Descriptor(owning: far)
    try checkNegated(
      bgrun_keeper_launch(
        control, order.number, farEnd.number, output, input ?? noInput.number,
        groups?.descriptor ?? -1),
      "sendmsg", "the keeper")
    return try SpawnedRun(
      socket: nearEnd, group: groups.map { "\($0.path)/\(name)" }, keeper: process, on: loop,
      handler)
  }
}
