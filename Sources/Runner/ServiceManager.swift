import LinuxSystem

/// What the runner tells the service manager that started it (`Type=notify`); without one, nothing.
struct ServiceManager {
  private let notifier = ServiceNotifier.fromEnvironment()

  /// The work has begun, or goes on after a reload.
  func ready(jobs: Int) {
    notifier?.send("READY=1\nSTATUS=\(jobs) \(jobs == 1 ? "job" : "jobs")")
  }

  func reloading() {
    notifier?.send("RELOADING=1\nMONOTONIC_USEC=\(Clocks.now().monotonic / 1000)")
  }

  func stopping() {
    notifier?.send("STOPPING=1\nSTATUS=stopping")
  }

  /// Stopping takes at most this long (PL14).
  func extendStop(_ bound: Duration) {
    let seconds = bound.components.seconds + 1
    notifier?.send("EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000)")
  }
}
