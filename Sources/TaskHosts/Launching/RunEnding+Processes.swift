import Glibc
import JobModel
import LinuxSystem

extension RunEnding {
  /// - Parameter isKillOrdered: whether the engine asked for the forced end (LC5).
  init(_ ending: SpawnedRun.Ending, isKillOrdered: Bool) {
    self.init()
    switch ending.exit {
    case .status(let status): exitStatus = status
    case .signal(let number):
      signal = number
      wasKilled = isKillOrdered && number == SIGKILL
    case .lost:
      // With the process that watched over it, the program was killed too.
      signal = SIGKILL
      wasKilled = isKillOrdered
    }
    if ending.exit != .lost {
      peakMemory = ending.peakMemory
      cpuTime = ending.processorTime
    }
  }
}
