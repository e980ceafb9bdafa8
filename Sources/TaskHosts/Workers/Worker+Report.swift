import JobModel

extension Worker {
  /// What a worker tells its host.
  enum Report {
    case event(HostEvent)
    /// The program asks about requests; the answer goes back by `answer`.
    case question(UInt32, SchedulerQuestion)
    /// The run is over and the next one is welcome.
    case becameIdle
    /// It began its first background task, or ended its last one.
    case holdingChanged
    /// The process and all that it had started are gone.
    case gone
  }
}
