import JobModel

/// What each reason means, for `bgrun explain`: the same name is a gate while something waits and
/// the reason of its end afterwards (lifecycle §1).
struct ReasonGuide {
  /// One paragraph.
  let meaning: String
  /// A command or a line of a manifest that helps.
  let example: String

  init(_ reason: Reason) {
    (meaning, example) = Self.guide(to: reason)
  }

  private static func guide(to reason: Reason) -> (meaning: String, example: String) {
    condition(reason) ?? ending(reason) ?? waiting(reason)
  }

  /// Reasons that are conditions of the machine, named by their keys.
  private static func condition(_ reason: Reason) -> (meaning: String, example: String)? {
    switch reason {
    case .requiresExternalPower:
      (
        "The job waits for mains power, or lost it while running. A run that loses a condition for longer "
          + "than lifecycle.conditionGrace is warned and then ended, unless whenLost says continue.",
        "requiresExternalPower: true"
      )
    case .network:
      (
        "The job waits for a network: any needs a usable default route, unmetered one that costs "
          + "nothing. Losing it ends a run as losing mains power does.", "network: unmetered"
      )
    case .requiresIdle:
      (
        "The job waits until nobody has used the machine for a while. Where no source tells of user "
          + "input, the machine counts as idle, and bgrun why says that this is assumed.",
        "requiresIdle: 10m"
      )
    case .minimumBattery:
      (
        "The job waits for a charge. It is met on mains power and on machines without a battery.",
        "minimumBattery: 40"
      )
    case .minimumFreeSpace:
      (
        "The job waits for free space on the file system of the path, or of the state folder.",
        "minimumFreeSpace: {path: /srv, size: 10GB}"
      )
    case .lowPowerMode:
      (
        "The machine saves power, and the job asks to be deferred while it does.",
        "lowPowerMode: defer"
      )
    case .requiredResources:
      (
        "The machine doesn't have what the task needs, such as a GPU (a render node that may be "
          + "opened).", "requiredResources: [gpu]"
      )
    default: nil
    }
  }

  /// Reasons for which a run or a request ends.
  private static func ending(_ reason: Reason) -> (meaning: String, example: String)? {
    switch reason {
    case .timeLimit:
      (
        "The run took as long as its job allows. It was warned (SIGTERM for commands), had its grace to "
          + "end, and was then ended by force.", "timeLimit: 30m"
      )
    case .memoryLimit:
      (
        "The processes of the run used more memory than the job allows; the run expires as at its "
          + "time limit.", "memoryLimit: 512MiB"
      )
    case .progressStalled:
      (
        "A continued task reported no progress for longer than progress.stallAfter, and nobody at a "
          + "terminal was following it, or who was asked there didn't wait. Only a change of the fraction "
          + "counts. Commands report with bgrun notify.", "bgrun notify --progress 3/10"
      )
    case .userCancelled:
      ("A person cancelled the request or the run.", "bgrun cancel com.example.export")
    case .shutdown:
      (
        "The runner was asked to stop, so its runs were warned and had their grace. What is interrupted "
          + "so is pending again where the job may be retried.", "bgrun history com.example.export"
      )
    case .preempted:
      (
        "The machine was short of memory, or a reload lowered concurrency.continuedProcessing: the "
          + "continued tasks with the least recent progress give way first. The request is pending again.",
        "concurrency: {continuedProcessing: 3}"
      )
    case .handlerExited:
      (
        "The program ended by itself with an exit status other than 0. Its output says why. Status 75 "
          + "means 'later': the request is put back.", "bgrun logs com.example.export"
      )
    case .handlerSignalled:
      (
        "The program was ended by a signal that bgrun didn't send: a crash, or a kill from outside.",
        "bgrun logs com.example.export"
      )
    case .handlerThrew:
      ("The handler ended by throwing an error, which is the detail.", "bgrun history")
    case .handlerMissing:
      (
        "No handler of that name is registered in the program that runs the jobs. The stock bgrun "
          + "runs command and shell only.", "command: [./export, --all]"
      )
    case .launchFailed:
      (
        "The program couldn't be started: it isn't there, isn't executable, or its folder is missing. "
          + "The detail says which.", "bgrun validate"
      )
    case .neverCompleted:
      (
        "The handler returned or was let go without saying that the task is complete, so success "
          + "can't be assumed.", "bgrun logs com.example.export"
      )
    case .ownerLost:
      (
        "The runner that owned the run died. Another one, or the next start, found the run and "
          + "recorded its end.", "bgrun history --json"
      )
    case .replaced:
      (
        "A newer request with the same identifier and key took the place of this one before it "
          + "started.", "bgrun submit com.example.export --key second"
      )
    case .missed:
      (
        "Scheduled instants passed while nothing ran, and catchUp doesn't ask for them. The row has "
          + "their count.", "schedule: {every: 1h, catchUp: all}"
      )
    case .tooLate:
      (
        "The instant couldn't start within startWithin, so it was skipped.",
        "schedule: {cron: \"0 3 * * *\", startWithin: 2h}"
      )
    case .strategySkip:
      (
        "A condition wasn't met at the due time, and the job's strategy is to skip rather than to "
          + "wait.", "strategy: queue"
      )
    case .strategyFail:
      (
        "A condition wasn't met at the due time, and the job's strategy is to fail rather than to "
          + "wait.", "strategy: queue"
      )
    case .notPermitted:
      (
        "No entry of the manifest permits the identifier, or the request is of another kind than its "
          + "job.", "bgrun show com.example.export"
      )
    case .protocolError:
      (
        "The program and the runner didn't understand each other; both should be of one version.",
        "bgrun --version"
      )
    default: nil
    }
  }

  /// Reasons for which something that is pending doesn't start yet.
  private static func waiting(_ reason: Reason) -> (meaning: String, example: String) {
    switch reason {
    case .disabled:
      (
        "The job is switched off, in the manifest or by bgrun disable. Nothing new is scheduled or "
          + "accepted; what was pending waits.", "bgrun enable com.example.export"
      )
    case .clock:
      (
        "The clock reads a time before one that is already recorded, so scheduled instants wait until "
          + "it is right.", "timedatectl status"
      )
    case .concurrency:
      (
        "As many runs as the manifest allows go on already; the request starts when one ends.",
        "concurrency: {total: 4}"
      )
    case .maxRunning:
      (
        "As many runs of this identifier as it allows go on already, or one with the same key does.",
        "maxRunning: 4"
      )
    case .retryDelay:
      (
        "The last attempt failed, and the delay before the next one isn't over.",
        "retry: {maxAttempts: 3, initialDelay: 30s}"
      )
    case .earliestBegin:
      ("The request asked not to start before a time.", "earliestBegin: 15m")
    case .afterSuccessOf:
      (
        "Not every job that this one follows has succeeded since its last start.",
        "afterSuccessOf: [com.example.download]"
      )
    case .tolerance:
      ("The start waits a little, within the tolerance, to share a wake-up.", "tolerance: 5m")
    case .randomDelay:
      (
        "The start is spread over machines: each waits for its own, stable part of randomDelay.",
        "schedule: {every: 1d, randomDelay: 1h}"
      )
    default:
      (
        "No runner is alive on this store, so nothing starts. Requests wait; they aren't lost.",
        "bgrun run"
      )
    }
  }
}
