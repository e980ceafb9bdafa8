import JobModel
import YAMLSource

/// Loads sets of manifests: every mistake in one pass, and the job set where there is none.
package struct ManifestLoader: Sendable {
  private let environment: LoaderEnvironment

  package init(environment: LoaderEnvironment) {
    self.environment = environment
  }

  /// Checks the sources as one set, without making its job set.
  package func check(sources: [ManifestSource]) -> LoadedSet {
    load(sources, makesJobSet: false)
  }

  /// Loads the sources as one set; with an error among the diagnostics there is no job set.
  package func load(sources: [ManifestSource]) -> LoadedSet {
    load(sources, makesJobSet: true)
  }

  private func load(_ sources: [ManifestSource], makesJobSet: Bool) -> LoadedSet {
    let collector = DiagnosticCollector()
    let register = SetRegister(collector: collector)
    let programs = ProgramLookup(environment: environment)
    var files: [LoadedSet.File] = []
    var ignores: [IgnoreComments] = []
    var jobs = LoadedJobs()
    var jobCount = 0
    var trees = TreeSupply(sources, beside: environment.beside)
    defer { trees.finish() }
    for (number, source) in sources.enumerated() {
      if let path = source.writableByOthers {
        let finding = WritableByOthers.finding(path)
        collector.add(
          Diagnostic(
            finding.rule, source: number, at: finding.range, finding.message, hint: finding.hint))
      }
      let tree = trees.tree(number)
      let reader = ManifestReader(
        tree: tree, source: number, folder: source.folder, programs: programs,
        collector: collector, register: register
      ) { job in
        if makesJobSet { jobs.add(job, source: number) }
      }
      reader.read()
      jobCount += reader.jobCount
      ignores.append(IgnoreComments(tree: tree, source: number))
      files.append(
        LoadedSet.File(
          path: source.path, text: tree.source, uncheckedFrom: reader.uncheckedFrom))
    }
    register.finish()
    let diagnostics = Self.sorted(IgnoreComments.apply(ignores, to: collector.diagnostics))
    let isGood = !diagnostics.contains { $0.severity == .error }
    return LoadedSet(
      files: files, diagnostics: diagnostics, jobCount: jobCount,
      jobSet: makesJobSet && isGood ? jobSet(jobs.definitions, register, sources) : nil,
      provenance: Provenance(files: files, entries: jobs.entries))
  }

  private static func sorted(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    diagnostics.enumerated()
      .sorted {
        ($0.element.source, $0.element.range.start, $0.offset)
          < ($1.element.source, $1.element.range.start, $1.offset)
      }
      .map(\.element)
  }

  private func jobSet(
    _ definitions: [JobDefinition], _ register: SetRegister, _ sources: [ManifestSource]
  ) -> JobSet {
    var concurrency = ConcurrencyLimits(total: environment.coreCount)
    func integer(_ id: FieldID) -> Int? {
      if case .integer(let value) = register.content(id) { value } else { nil }
    }
    func duration(_ id: FieldID) -> Duration? {
      if case .duration(let value) = register.content(id) { value } else { nil }
    }
    concurrency.total = integer(.total) ?? concurrency.total
    concurrency.continuedProcessing =
      integer(.continuedTotal) ?? concurrency.continuedProcessing
    var set = JobSet(
      app: register.app, concurrency: concurrency, jobs: definitions,
      digest: Self.digest(of: sources))
    set.pendingLimits.appRefresh = integer(.pendingAppRefresh)
    set.pendingLimits.processing = integer(.pendingProcessing)
    set.pendingLimits.continuedProcessing = integer(.pendingContinued)
    set.lifecycle.backgroundTime = duration(.backgroundTime) ?? set.lifecycle.backgroundTime
    set.lifecycle.conditionGrace = duration(.conditionGrace) ?? set.lifecycle.conditionGrace
    if case .noLimit = register.content(.suspendAfter) {
      set.lifecycle.suspendAfter = nil
    } else {
      set.lifecycle.suspendAfter = duration(.suspendAfter) ?? set.lifecycle.suspendAfter
    }
    return set
  }

  /// Names what was loaded: the texts and the folders that their relative paths mean.
  private static func digest(of sources: [ManifestSource]) -> String {
    let parts = sources.flatMap { [$0.folder, String(decoding: $0.bytes, as: UTF8.self)] }
    let digits = String(StableHash.of(parts), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The definitions of a set and where their values come from, gathered while jobs are read.
struct LoadedJobs {
  private(set) var definitions: [JobDefinition] = []
  private(set) var entries: [JobIdentifier: [Provenance.Entry]] = [:]

  mutating func add(_ job: CheckedJob, source: Int) {
    guard let definition = JobAssembly(job: job).definition() else { return }
    definitions.append(definition)
    var entries: [Provenance.Entry] = []
    for (settings, origin) in [(job.own, Provenance.Origin.job), (job.defaults, .defaults)] {
      for setting in settings?.all ?? [] {
        guard let effective = job.effective(setting.field), effective.key == setting.key else {
          continue
        }
        entries.append(
          Provenance.Entry(
            field: setting.field, origin: origin, source: source,
            range: job.tree.range(of: setting.written)))
      }
    }
    self.entries[definition.identifier] = entries
  }
}
