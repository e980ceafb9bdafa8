import JobModel
import YAMLSource

/// Makes the definition of a job from its settings, its defaults and the built-in values.
struct JobAssembly {
  let job: CheckedJob
  private var tree: YAMLTree { job.tree }

  init(job: CheckedJob) { self.job = job }

  /// The definition; nil where the identifier, the kind or what to run can't be read.
  func definition() -> JobDefinition? {
    guard let identifier = job.text(.identifier), let kind = job.kind,
      let action = action(identifier)
    else { return nil }
    var definition = JobDefinition(
      identifier: JobIdentifier(identifier), kind: kind, action: action, manifestFolder: job.folder)
    definition.description = job.text(.description)
    definition.isEnabled = boolean(.enabled) ?? true
    if let with = job.effective(.with), case .mapping = with.content {
      definition.parameters = ParameterText(tree: tree).json(of: with.value)
    }
    definition.environment = environment()
    definition.workingDirectory = job.text(.workingDirectory).map(job.absolute) ?? job.folder
    definition.conditions = conditions()
    definition.strategy = word(.strategy, SubmissionStrategy.allCases) ?? .queue
    definition.earliestBegin = duration(.earliestBegin) ?? .zero
    definition.schedule = kind == .continuedProcessing ? nil : schedule()
    definition.tolerance = duration(.tolerance) ?? .zero
    definition.timeLimit = timeLimit(kind, action)
    definition.expirationGrace =
      duration(.expirationGrace) ?? (action.isCommand ? .seconds(10) : .seconds(1))
    definition.whenLost = word(.whenLost, LossPolicy.allCases) ?? .expire
    definition.retry = retry()
    definition.title = job.text(.title)
    definition.subtitle = job.text(.subtitle)
    if kind == .continuedProcessing {
      definition.stallAfter = duration(.stallAfter) ?? .seconds(30)
    }
    definition.qualityOfService = word(.qualityOfService, QualityOfService.allCases) ?? .utility
    definition.afterSuccessOf = texts(.afterSuccessOf).map(JobIdentifier.init)
    definition.maxRunning = integer(.maxRunning) ?? 1
    definition.memoryLimit = size(.memoryLimit)
    definition.output.maxSize = size(.maxSize) ?? definition.output.maxSize
    definition.output.keep = integer(.keep) ?? definition.output.keep
    definition.keepHistory = duration(.keepHistory) ?? definition.keepHistory
    return definition
  }

  // MARK: Parts

  private func action(_ identifier: String) -> JobAction? {
    if job.own.written.contains(.command) {
      var arguments = texts(.command)
      guard let program = arguments.first else { return nil }
      if program.contains("/") { arguments[0] = job.absolute(program) }
      return .command(arguments)
    }
    if job.own.written.contains(.shell) { return job.text(.shell).map(JobAction.shell) }
    if job.own.written.contains(.handler) { return job.text(.handler).map(JobAction.handler) }
    return .handler(identifier)
  }

  private func conditions() -> ConditionRequirements {
    var conditions = ConditionRequirements()
    conditions.requiresExternalPower = boolean(.requiresExternalPower) ?? false
    conditions.network = word(.network, NetworkRequirement.allCases) ?? .notRequired
    switch job.effective(.requiresIdle)?.content {
    case .boolean(true): conditions.requiresIdle = .seconds(300)
    case .duration(let duration): conditions.requiresIdle = duration
    default: break
    }
    conditions.minimumBattery = integer(.minimumBattery)
    conditions.minimumFreeSpace = freeSpace()
    conditions.defersInLowPowerMode = word(.lowPowerMode, ["allow", "defer"]) == "defer"
    conditions.requiredResources = Set(
      texts(.requiredResources).compactMap(RequiredResource.init(rawValue:)))
    return conditions
  }

  private func freeSpace() -> FreeSpaceRequirement? {
    if let own = job.own[.minimumFreeSpace] {
      switch own.content {
      case .size(let bytes): return FreeSpaceRequirement(bytes: bytes)
      case .builtIn: return nil
      default: break
      }
    }
    let plain = job.defaults?[.minimumFreeSpace].flatMap { setting in
      if case .size(let bytes) = setting.content { bytes } else { nil }
    }
    guard let bytes = size(.freeSpaceSize) ?? plain else { return nil }
    return FreeSpaceRequirement(path: job.text(.freeSpacePath).map(job.absolute), bytes: bytes)
  }

  private func schedule() -> SchedulePolicy? {
    let schedule: Schedule
    if let interval = duration(.every) {
      schedule = .every(interval)
    } else if let cron = job.cron, let zone = job.zone {
      schedule = .cron(cron, zone)
    } else {
      return nil
    }
    var policy = SchedulePolicy(schedule: schedule)
    policy.catchUp = word(.catchUp, CatchUp.allCases) ?? policy.catchUp
    policy.catchUpLimit = integer(.catchUpLimit) ?? policy.catchUpLimit
    policy.randomDelay = duration(.randomDelay) ?? policy.randomDelay
    policy.startWithin = duration(.startWithin)
    return policy
  }

  /// LC3: the built-in limits by kind and action.
  private func timeLimit(_ kind: JobKind, _ action: JobAction) -> Duration? {
    guard kind != .continuedProcessing else { return nil }
    switch job.effective(.timeLimit)?.content {
    case .noLimit: return nil
    case .duration(let limit): return limit
    default: break
    }
    if action.isCommand { return .seconds(3600) }
    return kind == .appRefresh ? .seconds(30) : .seconds(600)
  }

  private func retry() -> RetryPolicy {
    var retry = RetryPolicy()
    retry.maxAttempts = integer(.maxAttempts) ?? retry.maxAttempts
    retry.backoff = word(.backoff, RetryPolicy.Backoff.allCases) ?? retry.backoff
    retry.initialDelay = duration(.initialDelay) ?? retry.initialDelay
    retry.maxDelay = duration(.maxDelay) ?? retry.maxDelay
    retry.hasJitter = boolean(.jitter) ?? retry.hasJitter
    return retry
  }

  /// The defaults' variables with the job's own over them; a null takes one back.
  private func environment() -> EnvironmentPolicy {
    var policy = EnvironmentPolicy()
    let own = job.own[.environment]
    if let own, case .builtIn = own.content { return policy }
    for setting in [job.defaults?[.environment], own] {
      guard let setting, case .mapping = setting.content else { continue }
      for (name, value) in ParameterText(tree: tree).pairs(of: setting.value) {
        let value = tree.resolved(value)
        if name == "inherit" {
          policy.inheritsAll = ScalarForm(of: value, in: tree) == .boolean(true)
        } else {
          let isNull = ScalarForm(of: value, in: tree) == .null
          policy.variables[name] = isNull ? nil : tree.text(of: value)
        }
      }
    }
    return policy
  }

  // MARK: Values

  private func boolean(_ field: FieldID) -> Bool? {
    if case .boolean(let value) = job.effective(field)?.content { value } else { nil }
  }

  private func integer(_ field: FieldID) -> Int? {
    if case .integer(let value) = job.effective(field)?.content { value } else { nil }
  }

  private func duration(_ field: FieldID) -> Duration? {
    if case .duration(let value) = job.effective(field)?.content { value } else { nil }
  }

  private func size(_ field: FieldID) -> Int64? {
    if case .size(let value) = job.effective(field)?.content { value } else { nil }
  }

  private func word<Value>(_ field: FieldID, _ values: [Value]) -> Value? {
    if case .word(let number) = job.effective(field)?.content { values[number] } else { nil }
  }

  private func texts(_ field: FieldID) -> [String] {
    guard let setting = job.effective(field), case .list = setting.content else { return [] }
    return tree.children(of: setting.value).map { tree.text(of: tree.resolved($0)) }
  }
}
