package import JobModel

extension InstantRecording {
  /// What a schedule has brought since its anchor while the job was off, as one row without a run; nil
  /// when that is nothing (SB10). For whoever switches a job on, so that it needs no runner.
  ///
  /// - Parameter machineID: what the stable offsets of this machine are made from (PL18).
  package init?(
    missedWhileOff definition: JobDefinition, _ record: JobRecord, machineID: String,
    at now: WallInstant
  ) {
    guard let policy = definition.schedule else { return nil }
    let planner = InstantPlanner(
      entry: JobEntry(definition), identifier: record.identifier, policy: policy, record: record,
      offset: StableOffset.delay(
        machine: machineID, identifier: record.identifier.text, upTo: policy.randomDelay),
      now: now, horizon: WallInstant(microseconds: .max), care: .together)
    guard let recording = planner.recordingOfDisabled() else { return nil }
    self = recording
  }
}
