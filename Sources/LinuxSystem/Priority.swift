internal import Glibc

/// Moves processes behind others and back, in niceness: only where the way back is open, since a
/// process that may not lower its niceness would stay behind for good (CP9).
package enum Priority {
  /// A process is one of its threads here.
  private static let each = __priority_which_t(PRIO_PROCESS.rawValue)

  /// The niceness of what this thread's process starts, from which those of runs are counted: a
  /// punctual thread's own one, which is negative, isn't inherited.
  package static var own: Int32 { max(0, getpriority(each, 0)) }

  /// Whether this process may return to `niceness` from a higher one, found by trying it on a thread
  /// that ends with the attempt. By root, CAP_SYS_NICE or RLIMIT_NICE.
  package static func mayReturn(to niceness: Int32, from higher: Int32) -> Bool {
    guard higher > niceness else { return true }
    let answer = Answer()
    let code = DetachedThread.start {
      // Linux keeps the niceness of each thread.
      answer.mayReturn =
        setpriority(each, 0, higher) == 0 && setpriority(each, 0, niceness) == 0
      answer.bell.ring()
    }
    guard code == 0 else { return false }
    answer.bell.wait()
    return answer.mayReturn
  }

  /// The bell orders what the two threads do with the flag.
  private final class Answer: @unchecked Sendable {
    let bell = Bell()
    var mayReturn = false
  }

  /// Gives every thread of the processes that has the niceness `old` another one; what a program has
  /// set for itself stays. A process that is gone, or another user's, is not an error.
  static func change(
    _ processes: () -> [Int32], from isOld: (Int32) -> Bool, to new: Int32
  ) {
    // What is forked while the list is read has the niceness of its parent: look until a look finds
    // nothing, but not for ever at something that forks without end.
    for _ in 0..<8 {
      var hasChanged = false
      for process in processes() {
        for thread in ((try? Files.list("/proc/\(process)/task")) ?? []).compactMap({ Int32($0) }) {
          let number = id_t(bitPattern: thread)
          errno = 0
          let current = getpriority(each, number)
          guard errno == 0, current != new, isOld(current) else { continue }
          if setpriority(each, number, new) == 0 { hasChanged = true }
        }
      }
      if !hasChanged { return }
    }
  }
}
