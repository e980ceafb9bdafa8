import LinuxSystem

/// Why a run can't be started: a sentence without its full stop, for the run's record.
struct LaunchProblem: Error, Hashable {
  let detail: String

  init(_ detail: String) {
    self.detail = detail
  }

  init(_ error: SystemError) {
    detail = "can't \(error)"
  }
}
