internal import CLinux
internal import Glibc

extension Machine {
  /// The processor cores that this process may use, which in a container can be fewer than the
  /// machine has; at least 1.
  package static var coreCount: Int {
    let usable = Int(bgrun_usable_processors())
    return usable > 0 ? usable : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }
}
