import DeviceConditions
import JobModel
import LinuxSystem

/// An observer on a loop and a clock of its own, and everything that it told.
final class Observation {
  let files: KernelFiles
  let observer: DeviceObserver
  private(set) var told: [DeviceState] = []
  private var latest: DeviceState
  var now: WallInstant {
    get { clock.now }
    set { clock.now = newValue }
  }

  private let loop: EventLoop
  private let clock: Clock

  private final class Clock {
    var now = WallInstant(seconds: 1_000)
    private let step: Duration
    private var monotonic = MonotonicInstant(nanoseconds: 0)

    init(step: Duration) { self.step = step }

    func read() -> Now {
      monotonic = monotonic + step
      return Now(wall: now, monotonic: monotonic)
    }
  }

  /// - Parameter step: how much later than the one before each look at the monotonic clock is; the
  ///   usual second holds no change back.
  init(
    of files: KernelFiles, freeSpaceInterval: Duration = .seconds(3600),
    step: Duration = .seconds(1)
  ) throws {
    let clock = Clock(step: step)
    loop = try EventLoop()
    observer = try DeviceObserver(
      root: files.root, stateDirectory: files.path, loop: loop, clock: { clock.read() },
      freeSpaceInterval: freeSpaceInterval)
    latest = observer.current
    self.files = files
    self.clock = clock
    observer.start { [unowned self] state in
      told.append(state)
      latest = state
    }
  }

  /// Turns the loop until the condition holds for what was told last; false when nothing happened for ten seconds or it
  /// never held in a thousand rounds.
  func turn(until isReached: (DeviceState) -> Bool) throws -> Bool {
    for _ in 0..<1_000 {
      if isReached(latest) { return true }
      guard try loop.runOnce(waitingAtMost: .seconds(10)) else { return false }
    }
    return false
  }

  /// Turns the loop as long as something is due at once.
  func settle() throws {
    for _ in 0..<1_000 where try !loop.runOnce(waitingAtMost: .zero) { return }
  }

  /// Whether anything becomes due within the limit.
  func wakes(within limit: Duration) throws -> Bool {
    try loop.runOnce(waitingAtMost: limit)
  }
}
