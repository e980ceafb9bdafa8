import Glibc
import LinuxSystem

extension SpawnedRun.LaunchFailure {
  /// What was attempted and why it failed, as one sentence without its full stop.
  func detail(_ program: ProgramLaunch) -> String {
    let reason = SystemError.reason(of: code)
    return switch step {
    case .workingFolder: "can't enter the working directory \(program.workingFolder): \(reason)"
    case .keeper: "somebody killed the keeper before it had started \(program.program)"
    case .process: "can't make a process for \(program.program): \(reason)"
    case .program where code == ENOENT && Files.isExecutable(program.program):
      "can't run \(program.program): the interpreter that its first line names doesn't exist"
    case .program where code == ENOEXEC:
      "can't run \(program.program): it is no program of this machine, nor a script with #! first"
    case .program: "can't run \(program.program): \(reason)"
    }
  }
}
