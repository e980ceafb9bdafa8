import JobModel
import YAMLSource

/// What the manifests of a set say together: its identifiers, waits and common keys.
final class SetRegister {
  private let collector: DiagnosticCollector
  private var identifiers = IdentifierTable()
  /// Where each identifier stands first.
  private var places: ContiguousArray<IdentifierPlace> = []
  private var wildcards: [(identifier: String, place: SetPlace)] = []
  private var waits: [DependencyCycle.Edge] = []
  private var common: [FieldID: (content: Setting.Content, text: String, place: SetPlace)] = [:]
  /// A file wasn't read to its end, or holds an identifier that can't be read: what seems to be
  /// missing may be there.
  private var isIncomplete = false

  init(collector: DiagnosticCollector) { self.collector = collector }

  private struct IdentifierPlace {
    let source: Int32
    let jobNumber: Int32
    let range: ByteRange
  }

  /// Makes room for so many more identifiers.
  func reserve(_ count: Int) {
    identifiers.reserve(count)
    if count > places.count { places.reserveCapacity(places.count + count) }
  }

  /// The keys that hold for the whole set.
  static let commonKeys: [FieldID] = [
    .app, .total, .continuedTotal, .pendingAppRefresh, .pendingProcessing, .pendingContinued,
    .backgroundTime, .suspendAfter, .conditionGrace,
  ]

  func markIncomplete() { isIncomplete = true }

  /// Takes the common keys of a document's top level.
  func take(_ settings: JobSettings, from reporter: FindingReporter) {
    for id in Self.commonKeys {
      guard let setting = settings[id] else { continue }
      let place = SetPlace(
        source: reporter.source, range: reporter.tree.range(of: setting.written), job: nil,
        jobNumber: nil, field: id)
      let text =
        if case .text = setting.content { reporter.tree.text(of: setting.value) } else { "" }
      guard let first = common[id] else {
        common[id] = (setting.content, text, place)
        continue
      }
      guard !Self.agree(first.content, setting.content, first.text == text) else { continue }
      collector.add(SetConflict.diagnostic(id, at: place, first: first.place))
    }
  }

  private static func agree(
    _ left: Setting.Content, _ right: Setting.Content, _ isSameText: Bool
  ) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left == right
    case (.duration(let left), .duration(let right)): left == right
    case (.noLimit, .noLimit): true
    case (.text, .text): isSameText
    // What can't be read was reported; nothing more is to be said about it.
    case (.unusable, _), (_, .unusable): true
    default: false
    }
  }

  /// Takes a job's identifier and waits.
  func take(_ job: CheckedJob, from reporter: FindingReporter) {
    guard let setting = job.own[.identifier], case .text = setting.content else {
      isIncomplete = true
      return
    }
    let tree = reporter.tree
    let place = IdentifierPlace(
      source: Int32(reporter.source), jobNumber: Int32(reporter.job?.number ?? 0),
      range: job.valueRange(setting))
    let number = tree.withText(of: setting.value) { identifiers.number(of: $0) }
    if number.isNew {
      places.append(place)
    } else {
      let identifier = tree.text(of: setting.value)
      collector.add(
        DuplicateIdentifier.diagnostic(
          identifier, at: setPlace(place, identifier),
          first: setPlace(places[number.value], identifier)))
    }
    if job.kind == .continuedProcessing, tree.lastByte(of: setting.value) == UInt8(ascii: "*") {
      let identifier = tree.text(of: setting.value)
      wildcards.append((identifier, setPlace(place, identifier)))
    }
    if job.own.written.contains(.afterSuccessOf) {
      takeWaits(job, of: tree.text(of: setting.value), from: reporter)
    }
  }

  private func setPlace(_ place: IdentifierPlace, _ identifier: String) -> SetPlace {
    SetPlace(
      source: Int(place.source), range: place.range, job: identifier,
      jobNumber: Int(place.jobNumber), field: .identifier)
  }

  private func takeWaits(_ job: CheckedJob, of identifier: String, from reporter: FindingReporter) {
    guard let setting = job.own[.afterSuccessOf], case .list = setting.content else { return }
    for (number, item) in reporter.tree.children(of: setting.value).enumerated() {
      let place = SetPlace(
        source: reporter.source, range: reporter.tree.range(of: item), job: identifier,
        jobNumber: reporter.job?.number, field: .afterSuccessOf, item: number)
      waits.append(
        DependencyCycle.Edge(
          from: identifier, to: reporter.tree.text(of: reporter.tree.resolved(item)),
          place: place))
    }
  }

  /// Checks what only the whole set can show.
  func finish() {
    checkWildcards()
    guard !waits.isEmpty else { return }
    if !isIncomplete {
      let known = identifiers.sorted
      for wait in waits where !identifiers.contains(wait.to) {
        collector.add(UnknownReference.diagnostic(wait.to, known: known, at: wait.place))
      }
    }
    for diagnostic in DependencyCycle.diagnostics(of: waits) { collector.add(diagnostic) }
  }

  /// RG7: a wildcard stands for identifiers of the program itself.
  private func checkWildcards() {
    let app = common[.app]
    if let app, case .unusable = app.content { return }
    for (identifier, place) in wildcards {
      let finding: Finding
      if let app {
        if identifier.hasPrefix(app.text + ".") { continue }
        finding = WildcardForm.outsideApp(app.text, at: place.range)
      } else {
        if isIncomplete { continue }
        finding = WildcardForm.withoutApp(at: place.range)
      }
      collector.add(place.diagnostic(finding))
    }
  }

  // MARK: For the job set

  /// The program's identifier.
  var app: String { common[.app]?.text ?? "default" }

  func content(_ id: FieldID) -> Setting.Content? { common[id]?.content }
}
