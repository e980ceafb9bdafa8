import Glibc
import JobManifest
import JobModel

/// What libFuzzer calls with each input: one of the readers of text and bytes from outside, chosen by
/// BGRUN_FUZZ. A trap, a hang or a broken promise is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  reader(bytes)
  return 0
}

private let reader: @Sendable ([UInt8]) -> Void = {
  switch getenv("BGRUN_FUZZ").map({ String(cString: $0) }) {
  case "yaml": readManifest
  case "every-byte": readChangedEverywhere
  case "cron": readCron
  case "duration": readMeasures
  case "zone": readZone
  default: fatalError("BGRUN_FUZZ is yaml, every-byte, cron, duration or zone")
  }
}()

private let machine = LoaderEnvironment(
  program: { _, _ in .found }, timeZone: { $0 == "Etc/UTC" ? .utc : nil },
  timeZoneNames: { ["Etc/UTC"] }, systemTimeZone: { .utc },
  now: WallInstant(seconds: 1_768_478_400), coreCount: 2)

/// A manifest gives diagnostics or a job set, each diagnostic can be shown in every form, and what
/// fixes leave has none left.
private func readManifest(_ bytes: [UInt8]) {
  let loader = ManifestLoader(environment: machine)
  let source = ManifestSource(path: "a.yaml", folder: "/srv", bytes: bytes)
  let set = loader.load(sources: [source])
  precondition((set.jobSet == nil) == set.holds(.error))
  let setting = ReportSetting(isColoured: true, limit: .note, folder: "/srv", version: "0")
  for format in DiagnosticFormat.allCases { _ = format.render([set], setting) }
  guard set.diagnostics.contains(where: { $0.fix != nil }) else { return }
  let fixed = FixPlan([source], loader: loader)
  precondition(FixPlan(fixed.sources, loader: loader).counts == [0])
}

/// A manifest with each of its bytes changed in turn, and cut off at each.
private func readChangedEverywhere(_ bytes: [UInt8]) {
  let loader = ManifestLoader(environment: machine)
  func load(_ bytes: [UInt8]) {
    let set = loader.load(
      sources: [ManifestSource(path: "a.yaml", folder: "/srv", bytes: bytes)])
    precondition((set.jobSet == nil) == set.holds(.error))
    _ = DiagnosticRenderer(set).text()
  }
  for index in bytes.indices {
    for change in [0x00, 0xFF, 0x0A, 0x20, 0x7B, 0x2A, 0x27] as [UInt8] {
      var changed = bytes
      changed[index] = change
      load(changed)
    }
    load(Array(bytes[..<index]))
  }
}

private func readCron(_ bytes: [UInt8]) {
  guard case .success(let cron) = CronExpression.parse(String(decoding: bytes, as: UTF8.self))
  else { return }
  let first = cron.next(after: machine.now, in: .utc)
  precondition(cron.neverFires || first.map { $0 > machine.now } ?? true)
}

/// What is read and written comes back the same.
private func readMeasures(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  switch DurationText.parse(text) {
  case .success(let duration):
    precondition(DurationText.parse(DurationText.format(duration)) == .success(duration))
  case .failure(let mistake): _ = (mistake.sentence, mistake.suggestion)
  }
  switch SizeText.parse(text) {
  case .success(let size): precondition(SizeText.parse(SizeText.format(size)) == .success(size))
  case .failure(let mistake): _ = (mistake.sentence, mistake.suggestion)
  }
}

private func readZone(_ bytes: [UInt8]) {
  guard let zone = try? TimeZoneRules(name: "Fuzz/Zone", tzif: bytes) else { return }
  for seconds in [-8_000_000_000, 0, 1_768_478_400, 8_000_000_000] {
    _ = zone.local(WallInstant(seconds: Int64(seconds)))
  }
}
