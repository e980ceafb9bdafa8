import JobModel

extension Session {
  /// How long a host may take to say that a program runs (PL14).
  private static let launchBound = Duration.seconds(30)

  /// An applied claim: the only way to a launch (ST1).
  mutating func begin(
    _ number: RunNumber, of index: JobIndex, _ request: RequestRecord, _ entry: JobEntry,
    isLeased: Bool = false, at now: Now
  ) {
    let limit = configuration.simulatedExpiration ?? entry.job.timeLimit
    let watch = LiveRun.Watch(
      limit: limit.map { now.monotonic + $0 },
      stall: entry.job.kind == .continuedProcessing
        ? entry.job.stallAfter.map { .borne(until: now.monotonic + $0) } : nil)
    let begun = BegunRun(
      number: number, jobIndex: index, request: request, entry: entry, startedAt: now,
      unwatched: unwatchedConditions(of: request, entry, at: now), isLeased: isLeased)
    runs[number] = LiveRun(
      begun: begun, startDueAt: isLeased ? now.monotonic + RunPace.patience : nil,
      phase: .launching(watch, until: now.monotonic + Self.launchBound))
    jobs[index].running += 1
    guard phase.isWorking else {
      end(number, .neverLaunched, at: now)
      return
    }
    actions.append(
      .launch(
        LaunchOrder(
          run: number, request: request, job: entry.job, startedAt: now.wall,
          deadline: limit.map { now.wall + $0 },
          monotonicDeadline: limit.map { now.monotonic + $0 })))
    report(
      .runStarted(number, request.identifier, key: request.key, attempt: request.attempt))
    watchConditions(of: number, at: now)
    updateTimer(of: number)
    // The limit may have been lowered while the claim was on its way.
    preemptExcess(at: now)
  }

  /// PL19: what is unmet when `--now` launches isn't watched.
  private func unwatchedConditions(
    of request: RequestRecord, _ entry: JobEntry, at now: Now
  ) -> Set<Reason> {
    guard request.gateClass.isImmediate else { return [] }
    let required = entry.job.conditions.tightened(by: request.gateClass)
    return Set(required.verdicts(in: device, at: now.wall).filter { !$0.isMet }.map(\.condition))
  }

  mutating func absorb(_ event: HostEvent, at now: Now) {
    switch event {
    case .started(let number):
      guard var run = runs[number], case .launching(let watch, _) = run.phase else { return }
      run.phase = .running(watch)
      runs[number] = run
      runTimers.set(nextTimer(of: run), for: number)
      if run.pool == .continued { updatePlace(of: number) }
    case .progressed(let number, let report): progressed(number, report, at: now)
    case .exceededMemory(let number, let bytes):
      expire(
        number,
        Ending.Expiration(reason: .memoryLimit, detail: "\(SizeText.approximate(bytes)) resident"),
        at: now)
    case .launchFailed(let number, let detail): end(number, .launchFailed(detail), at: now)
    case .ended(let number, let ending): end(number, .processesEnded(ending), at: now)
    case .holding(let held): absorb(held, at: now)
    case .leaked(let number, let identifier, let detail):
      report(.leaked(number, identifier, detail: detail))
    }
  }

  /// Warns a run and starts its grace (LC4, LC5); a run that has been warned isn't warned again,
  /// but a person's cancellation overrides what it was warned for (ST4).
  mutating func expire(_ number: RunNumber, _ expiration: Ending.Expiration, at now: Now) {
    guard let run = runs[number] else { return }
    switch run.phase {
    case .launching, .running:
      let grace = run.entry.job.expirationGrace
      runs[number]?.phase = .expiring(expiration, graceEnds: now.monotonic + grace)
      actions.append(.warn(number, expiration.reason))
      report(.runWarned(number, run.identifier, expiration.reason, grace: grace))
      recordExpiring(
        number,
        RunRecord.Expiring(
          reason: expiration.reason, since: now.wall, graceEnds: now.wall + grace))
      updateTimer(of: number)
    case .expiring(_, let graceEnds):
      if expiration.reason == .userCancelled {
        runs[number]?.phase = .expiring(expiration, graceEnds: graceEnds)
      }
    case .overrunning:
      if expiration.reason == .userCancelled { runs[number]?.phase = .overrunning(expiration) }
    case .killing:
      if expiration.reason == .userCancelled { runs[number]?.phase = .killing(expiration) }
    case .ending: break
    }
  }

  /// The warning itself never waits for the store; one in trouble gets only the end (DU4).
  private mutating func recordExpiring(_ number: RunNumber, _ expiring: RunRecord.Expiring) {
    recordStart(of: number)
    guard mayPropose else { return }
    propose(
      .beginExpiring(BeginExpiring(run: number, owner: fence, expiring: expiring)),
      for: .expiring(number))
  }

  /// Asks for SIGKILL of everything that the run started (LC5); a handler in this process goes on
  /// until it ends by itself (EM1).
  mutating func kill(_ number: RunNumber, at now: Now) {
    guard let run = runs[number], case .expiring(let expiration, _) = run.phase else { return }
    if let policy = configuration.handlersInProcess, !run.entry.job.action.isCommand {
      return overrun(run, expiration, policy, at: now)
    }
    runs[number]?.phase = .killing(expiration)
    actions.append(.kill(number))
    report(.runKilled(number, run.identifier, expiration.reason))
    updateTimer(of: number)
  }

  /// Another process asked for the stop of a run of ours (CP5).
  mutating func stopAsRequested(_ number: RunNumber, _ reason: Reason, at now: Now) {
    let detail = reason == .progressStalled ? "the person who was asked did not wait" : nil
    expire(number, Ending.Expiration(reason: reason, detail: detail), at: now)
  }

  /// Follows the conditions that a live run requires (PL4).
  mutating func watchConditions(of number: RunNumber, at now: Now) {
    guard let run = runs[number], run.entry.hasConditions || run.request.gateClass.hasConditions,
      let watch = run.watch, run.entry.job.whenLost == .expire
    else { return }
    let required = run.entry.job.conditions.tightened(by: run.request.gateClass)
    let lost = required.verdicts(in: device, at: now.wall).first {
      !$0.isMet && !run.begun.unwatched.contains($0.condition)
    }
    guard let lost else {
      runs[number]?.updateWatch { $0.loss = nil }
      updateTimer(of: number)
      return
    }
    // Another condition that goes while one is away doesn't start the grace again.
    guard watch.loss == nil else { return }
    let loss = LiveRun.Loss(
      condition: lost.condition, detail: lost.value,
      expiresAt: now.monotonic + jobSet.lifecycle.conditionGrace)
    runs[number]?.updateWatch { $0.loss = loss }
    updateTimer(of: number)
  }

  mutating func updateTimer(of number: RunNumber) {
    runTimers.set(runs[number].flatMap { nextTimer(of: $0) }, for: number)
  }

  /// Everything about runs whose moment has come.
  mutating func passRunTimers(at now: Now) {
    while let number = runTimers.popFirst(upTo: now.monotonic) {
      guard let run = runs[number] else { continue }
      if let due = run.startDueAt, due <= now.monotonic { recordStart(of: number) }
      if let due = run.progress.dueAt, due <= now.monotonic { flushProgress(of: number, at: now) }
      switch run.phase {
      case .launching(let watch, let until):
        if until <= now.monotonic {
          expire(
            number,
            Ending.Expiration(
              reason: .launchFailed, detail: "not started within its bound of 30 s"), at: now)
        } else {
          passWatch(watch, of: number, at: now)
        }
      case .running(let watch): passWatch(watch, of: number, at: now)
      case .expiring:
        if let end = forcedEnd(of: run), end <= now.monotonic { kill(number, at: now) }
      case .overrunning, .killing, .ending: break
      }
      updateTimer(of: number)
    }
  }

  var timeLimitReached: Ending.Expiration {
    let isSimulated = configuration.simulatedExpiration != nil
    return Ending.Expiration(reason: .timeLimit, detail: isSimulated ? "simulated" : nil)
  }

  private mutating func passWatch(_ watch: LiveRun.Watch, of number: RunNumber, at now: Now) {
    if let limit = watch.limit, limit <= now.monotonic {
      expire(number, timeLimitReached, at: now)
    } else if let loss = watch.loss, loss.expiresAt <= now.monotonic {
      // Idleness can have come back by itself since the last event.
      runs[number]?.updateWatch { $0.loss = nil }
      watchConditions(of: number, at: now)
      if runs[number]?.watch?.loss != nil {
        expire(
          number, Ending.Expiration(reason: loss.condition, detail: loss.detail), at: now)
      }
    } else if case .borne(let until)? = watch.stall, until <= now.monotonic {
      stalled(number, at: now)
    }
  }
}
