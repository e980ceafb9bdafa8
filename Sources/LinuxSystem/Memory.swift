internal import CLinux

/// The process's own memory.
package enum Memory {
  /// Gives back what was allocated and freed: the C library keeps it for the next use, which a
  /// process that waits for days may never have.
  package static func releaseUnused() {
    malloc_trim(0)
  }
}
