import JobModel
import SQLiteStore

extension Bench {
  /// A manifest of three kinds of jobs in `./jobs`, and the store that its app names.
  static let manifest = """
    version: 1
    app: com.example.mail
    concurrency: {total: 2}
    defaults:
      requiresExternalPower: true
    jobs:
      - identifier: com.example.mail.fetch
        kind: appRefresh
        command: ["true"]
        schedule: {every: 15m}
        requiresExternalPower: false
      - identifier: com.example.mail.vacuum
        description: Compact the mail database
        shell: sqlite3 mail.db VACUUM
        with: {depth: 2, mode: full}
        timeLimit: 20m
      - identifier: com.example.mail.off
        command: ["true"]
        enabled: false
      - identifier: com.example.mail.export.*
        kind: continuedProcessing
        command: ["true"]
        title: Exporting mail
        subtitle: Preparing

    """

  var mailState: String { "\(folder)/.local/state/bgrun/com.example.mail" }

  func writeManifest() throws {
    try write(Self.manifest, to: "jobs/mail.yaml")
  }

  /// A runner on the manifest's store that has published what it sees.
  func startRunner(
    isOnBattery: Bool = false, processID: Int32 = 4242
  ) throws -> RunnerStandIn {
    let runner = try RunnerStandIn(openStore(mailState), processID: processID)
    var device = DeviceState.assumed(at: Self.start)
    device.externalPower = Reading(
      !isOnBattery, source: "/sys/class/power_supply/AC", since: Self.start - .seconds(300))
    try runner.store.publish(device, of: runner.owner)
    return runner
  }
}
