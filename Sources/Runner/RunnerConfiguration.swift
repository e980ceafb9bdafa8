package import JobEngine
package import JobModel

/// A job set with the text that it was read from.
package struct LoadedJobSet: Sendable {
  package var jobSet: JobSet
  /// The manifests as read, kept in the store for other commands.
  package var stored: StoredJobSet

  package init(jobSet: JobSet, stored: StoredJobSet) {
    self.jobSet = jobSet
    self.stored = stored
  }
}

/// What reading the manifests again came to (PL12).
package enum Reload: Sendable {
  case valid(LoadedJobSet)
  /// They have mistakes, which have been shown; the job set in force stays.
  case invalid
}

/// Everything that one runner is told at its start.
package struct RunnerConfiguration {
  package var loaded: LoadedJobSet
  package var engine: EngineConfiguration
  /// Absolute path of the directory that holds the store, the output and the job directories.
  package var stateDirectory: String
  /// The machine's name, as history shows it.
  package var hostName: String
  /// The runner's own variables.
  package var environment: [String: String]
  /// Where the kernel tells of a shortage of memory.
  package var memoryPressureFile: String
  /// Manifest files and folders whose change reloads the job set (PL12).
  package var watchedManifests: [String]
  /// Whether the manifests are others by now than `loaded`: what was saved between their reading and
  /// the start of the watch, nobody tells.
  package var isOutdated: () -> Bool
  /// Reads the manifests again.
  package var reload: () -> Reload
  /// Shows a notice to a person or a log.
  package var show: (Notice, Now) -> Void
  /// Whether the process is the runner's: then signals stop it, the service manager is told of it, a
  /// shutdown of the machine is held back for it, and unused memory is given back. In a process of
  /// somebody else's it only runs jobs, until `RunnerStop` stops it (EM1).
  package var ownsProcess = true
  /// Called when the stop is over although handlers run on in this process; `run` returns when they
  /// have ended (EM1).
  package var released: (Summary) -> Void = { _ in }

  package init(
    loaded: LoadedJobSet, engine: EngineConfiguration, stateDirectory: String, hostName: String,
    environment: [String: String], memoryPressureFile: String, watchedManifests: [String],
    isOutdated: @escaping () -> Bool = { false }, reload: @escaping () -> Reload,
    show: @escaping (Notice, Now) -> Void
  ) {
    self.loaded = loaded
    self.engine = engine
    self.stateDirectory = stateDirectory
    self.hostName = hostName
    self.environment = environment
    self.memoryPressureFile = memoryPressureFile
    self.watchedManifests = watchedManifests
    self.isOutdated = isOutdated
    self.reload = reload
    self.show = show
  }
}

/// How a runner ended.
package struct RunnerExit: Sendable {
  package var summary: Summary
  /// The signal that asked for the stop; nil when the work was done.
  package var stoppedBy: Int32?
}
