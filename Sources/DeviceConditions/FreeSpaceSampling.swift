internal import JobModel
internal import LinuxSystem

/// Samples free space at an interval, only while somebody asks for it (PL1).
final class FreeSpaceSampling {
  private let stateDirectory: String
  private let interval: Duration
  private var paths: Set<String> = []
  private var samples: [String: (bytes: Int64, source: String)] = [:]
  private var timer: MonotonicTimer?

  init(
    stateDirectory: String, interval: Duration, loop: EventLoop, _ changed: @escaping () -> Void
  ) throws(SystemError) {
    self.stateDirectory = stateDirectory
    self.interval = interval
    timer = try MonotonicTimer(on: loop) { [unowned self] in
      sample()
      changed()
    }
  }

  /// Samples exactly these paths from now on, "" being the state directory.
  func observe(_ paths: Set<String>) {
    self.paths = paths
    sample()
  }

  /// Replaces the readings by those of the paths that are asked for and can be read.
  func report(to readings: inout [String: Reading<Int64>], at now: WallInstant) {
    readings = readings.filter { samples[$0.key] != nil }
    for (path, sample) in samples {
      readings[path, default: Reading(sample.bytes, source: sample.source, since: now)]
        .observe(sample.bytes, from: sample.source, at: now)
    }
  }

  private func sample() {
    samples = [:]
    for path in paths {
      samples[path] = FreeSpace.sample(path.isEmpty ? stateDirectory : path)
    }
    let next = Clocks.now().monotonic + interval.nanoseconds
    timer?.set(nanoseconds: paths.isEmpty ? nil : next)
  }
}
