import JobModel
import YAMLSource

/// Reads one job: its keys, then what they say together.
struct JobReader {
  let values: ValueReader
  private let settings: SettingReader
  private(set) var job: CheckedJob
  private let reporter: FindingReporter
  private let tree: YAMLTree

  init(values: ValueReader, job: CheckedJob) {
    self.values = values
    self.job = job
    settings = SettingReader(values: values)
    reporter = values.reporter
    tree = values.tree
  }

  /// Reads the mapping of a job into `job`, whose defaults are set.
  mutating func read(_ mapping: YAMLNode) {
    job.own.removeAll()
    job.kind = nil
    job.cron = nil
    job.zone = nil
    settings.read(mapping, scope: .job, defaults: job.defaults, into: &job.own)
    let isCut = tree.isCut(mapping)
    readAction(mapping, isCut: isCut)
    readKind(mapping, isCut: isCut)
    if !isCut {
      requireKey(.identifier, in: mapping)
      requireMembers(in: mapping)
    }
    checkWildcard()
    checkSkip()
    readSchedule()
    checkRules()
  }

  private func checkRules() {
    // One closure for all, around the reporter alone: this runs for every job.
    let report = { [reporter] (finding: Finding) in reporter.report(finding) }
    for rule in JobRules.all { rule.check(job, report: report) }
  }

  private mutating func readAction(_ mapping: YAMLNode, isCut: Bool) {
    job.hasUnknownAction =
      job.own.written.isDisjoint(with: Contradiction.actionSet)
      && (isCut || hasMisspelt(Contradiction.actionSet, in: mapping))
  }

  /// Whether an unknown key was probably meant to be one of these: that they are missing is then
  /// said already.
  private func hasMisspelt(_ fields: FieldSet, in mapping: YAMLNode) -> Bool {
    let index = FieldTable.index(of: .job)
    var children = tree.children(of: mapping)
    while let key = children.next(), children.next() != nil {
      guard tree.kind(of: key) == .scalar, index.field(for: key, in: tree) == nil,
        let meant = UnknownKey.meantInJob(tree.text(of: key))
      else { continue }
      if fields.contains(meant) { return true }
    }
    return false
  }

  private mutating func readKind(_ mapping: YAMLNode, isCut: Bool) {
    if let setting = job.own[.kind] {
      if case .word(let number) = setting.content { job.kind = JobKind.allCases[number] }
    } else if job.own.written.contains(.command) || job.own.written.contains(.shell) {
      job.kind = isCut ? nil : .processing
    } else if !isCut, !job.hasUnknownAction,
      !hasMisspelt(FieldSet(CollectionOfOne(.kind)), in: mapping)
    {
      reporter.report(MissingKey.kind(of: reporter.jobName, at: start(of: mapping)))
    }
  }

  private func requireKey(_ id: FieldID, in mapping: YAMLNode) {
    guard !job.own.written.contains(id) else { return }
    reporter.report(
      MissingKey.finding(FieldTable.field(id), of: reporter.jobName, at: start(of: mapping)))
  }

  /// Requires what a group can't do without: an interval of a schedule, a size of free space.
  private func requireMembers(in mapping: YAMLNode) {
    if !job.holds(.every), !job.holds(.cron), let schedule = job.own[.schedule],
      case .mapping = schedule.content
    {
      reporter.report(
        MissingKey.interval(of: reporter.jobName, at: tree.range(of: schedule.key)),
        under: "schedule")
    }
    if !job.holds(.freeSpaceSize), let space = job.own[.minimumFreeSpace],
      case .mapping = space.content
    {
      reporter.report(
        MissingKey.finding(
          FieldTable.field(.freeSpaceSize), of: "'minimumFreeSpace' of \(reporter.jobName)",
          at: tree.range(of: space.key)), under: "minimumFreeSpace")
    }
  }

  /// RG7: only continuedProcessing jobs may stand for many.
  private func checkWildcard() {
    guard let setting = job.own[.identifier], case .text = setting.content,
      endsInWildcard(setting.value)
    else { return }
    if job.own[.kind] == nil || (job.kind != nil && job.kind != .continuedProcessing) {
      reporter.report(WildcardForm.kind(at: job.valueRange(setting)), under: "identifier")
    }
  }

  private func endsInWildcard(_ value: YAMLNode) -> Bool {
    tree.lastByte(of: value) == UInt8(ascii: "*")
  }

  private func checkSkip() {
    guard job.kind == .continuedProcessing, let strategy = job.own[.strategy],
      case .word(let number) = strategy.content, SubmissionStrategy.allCases[number] == .skip
    else { return }
    reporter.report(
      InvalidValue.skipOfContinued(at: job.valueRange(strategy)), under: "strategy")
  }

  private mutating func readSchedule() {
    guard job.holds(.cron), job.kind != .continuedProcessing, let setting = job.effective(.cron)
    else { return }
    job.cron = values.cron(setting)
    guard let zone = job.effective(.timeZone) else {
      job.zone = job.environment.systemTimeZone()
      return
    }
    job.zone = values.timeZone(zone)
  }

  /// Where to say that something is missing: at the first key.
  private func start(of mapping: YAMLNode) -> ByteRange {
    let first = tree.firstChild(of: mapping)
    return tree.range(of: first ?? mapping)
  }
}
