internal import JobModel
internal import LinuxSystem

/// The default routes that the kernel has; whether they are metered it doesn't know (PL3).
final class KernelRoutes: ConditionSource {
  private var watch: RouteWatch?
  private var state: DefaultRouteState?
  private var hasChanged = true

  let isSettled = true

  init(loop: EventLoop, _ changed: @escaping () -> Void) {
    // Where the kernel gives no routes (a sandbox without netlink) connectivity stays assumed (PL1).
    watch = try? RouteWatch(on: loop) { [unowned self] in
      hasChanged = true
      changed()
    }
  }

  func report(to findings: inout Findings) {
    if hasChanged {
      hasChanged = false
      state = (try? RouteWatch.read()) ?? state
    }
    guard let state else { return }
    findings.connectivity = Finding(
      value: state.hasAny ? .connected : .none, source: "rtnetlink")
  }
}
