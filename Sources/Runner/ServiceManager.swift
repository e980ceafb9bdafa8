import JobModel
import LinuxSystem

/// What the runner tells the service manager that started it (`Type=notify`); without one, nothing.
///
/// A service manager that doesn't listen any more is no reason to stop working.
struct ServiceManager {
  private let notifier: ServiceNotifier?

  init(environment: [String: String]) {
    notifier = ServiceNotifier(environment: environment)
  }

  /// The work has begun, or goes on after a reload.
  func ready(jobs: Int) {
    notifier?.send("READY=1\nSTATUS=\(jobs) \(jobs == 1 ? "job" : "jobs")")
  }

  func reloading() {
    notifier?.send("RELOADING=1\nMONOTONIC_USEC=\(Clocks.now().monotonic / 1000)")
  }

  /// Stopping takes at most this long (PL14).
  func stopping(within bound: Duration) {
    notifier?.send("STOPPING=1\nEXTEND_TIMEOUT_USEC=\(max(0, bound.microseconds))")
  }
}
