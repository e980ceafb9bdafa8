import JobModel

extension JobIdentifier: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

/// A command job with what the test changes.
func job(
  _ identifier: JobIdentifier = "com.example.job", kind: JobKind = .processing,
  every interval: Duration? = nil, cron: String? = nil, zone: TimeZoneRules = .utc,
  _ change: (inout JobDefinition) -> Void = { _ in }
) -> JobDefinition {
  var job = JobDefinition(
    identifier: identifier, kind: kind, action: .command(["true"]), manifestFolder: "/")
  job.timeLimit = kind == .continuedProcessing ? nil : .seconds(3600)
  job.stallAfter = kind == .continuedProcessing ? .seconds(30) : nil
  if let interval { job.schedule = SchedulePolicy(schedule: .every(interval)) }
  if let cron { job.schedule = SchedulePolicy(schedule: .cron(expression(cron), zone)) }
  change(&job)
  return job
}

func onBattery(since instant: WallInstant = Now.start.wall) -> DeviceState {
  var device = DeviceState.assumed(at: instant)
  device.externalPower = Reading(false, source: "test", since: instant)
  return device
}

/// The expression, which is known to be good.
func expression(_ text: String) -> CronExpression {
  switch CronExpression.parse(text) {
  case .success(let expression): expression
  case .failure(let mistake): preconditionFailure("\(text): \(mistake)")
  }
}
