internal import Glibc

extension Machine {
  /// The processor cores that this process may use, which in a container can be fewer than the
  /// machine has; at least 1.
  package static var coreCount: Int {
    let mask = (try? Files.text("/proc/self/status"))?.split(separator: "\n")
      .first { $0.hasPrefix("Cpus_allowed:") }
    let allowed = mask?.dropFirst("Cpus_allowed:".count).reduce(0) {
      $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0)
    }
    return max(1, allowed ?? sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }
}
