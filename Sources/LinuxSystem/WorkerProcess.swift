internal import CLinux
internal import Glibc

/// This process as a worker: a program that a runner started with a connection in place of its
/// standard input.
package enum WorkerProcess {
  /// What the process and the children it waited for have used.
  package struct Usage: Hashable, Sendable {
    package var processorTime: Duration
    /// Bytes, since the last `restartPeakMemory`.
    package var peakMemory: Int64
  }

  /// Takes the connection to the runner away from where children would inherit it, makes standard
  /// output line-buffered, and has orphans of this process's children come to it, so that
  /// `hasChildren` sees them too.
  ///
  /// - Parameter name: what the process table calls this process, which was not started by the name
  ///   of its file.
  /// - Returns: the connection's descriptor, open until the process ends.
  package static func takeConnection(name: String) throws(SystemError) -> Int32 {
    try checkNegated(unsafe bgrun_worker_prepare(name), "prepare a worker")
  }

  /// Runs what is sent to the main queue, the main actor's work with it, on the main thread, which must
  /// be the caller. Returns only where this Dispatch can't do that.
  package static func runMainQueue() { bgrun_main_queue_run() }

  /// Writes out what was printed.
  package static func flushOutput() { bgrun_flush_output() }

  /// Whether something that this process started is still alive; what has ended is reaped.
  package static var hasChildren: Bool { bgrun_has_children() != 0 }

  package static func restartPeakMemory() { bgrun_restart_peak_memory() }

  package static var usage: Usage {
    let usage = bgrun_usage_now()
    return Usage(
      processorTime: .microseconds(usage.processor_time_microseconds),
      peakMemory: usage.peak_memory)
  }

  /// Lets the calling thread run promptly on a busy machine; its niceness is the job's (LC4).
  package static func hurry() { _ = bgrun_set_short_slices(0) }

  /// Lets the process's other threads run promptly on a busy machine, or as any others again.
  package static func setUrgency(_ isUrgent: Bool) { _ = bgrun_set_other_slices(isUrgent ? 1 : 0) }

  /// Where this process's program lies; nil without /proc.
  package static var executable: String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink("/proc/self/exe", &bytes, bytes.count)
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Ends the process by SIGKILL: no handler or library delays it, and no status of it can be taken
  /// for a handler's.
  package static func killItself() -> Never {
    kill(getpid(), SIGKILL)
    _exit(1)
  }
}
