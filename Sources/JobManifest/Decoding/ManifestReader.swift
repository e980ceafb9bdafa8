import JobModel
import YAMLSource

/// Reads the documents of one source: their top level, defaults and jobs.
final class ManifestReader {
  private let tree: YAMLTree
  private let source: Int
  private let folder: String
  private let programs: ProgramLookup
  private let reporter: FindingReporter
  private let values: ValueReader
  private let register: SetRegister
  /// Called with each job that was read, good or not.
  private let visit: (CheckedJob) -> Void
  private(set) var jobCount = 0
  /// Whoever reads on from here finds what wasn't checked; nil: all was.
  private(set) var uncheckedFrom: Int?

  init(
    tree: YAMLTree, source: Int, folder: String, programs: ProgramLookup,
    collector: DiagnosticCollector, register: SetRegister,
    visit: @escaping (CheckedJob) -> Void
  ) {
    self.tree = tree
    self.source = source
    self.folder = folder
    self.programs = programs
    self.register = register
    self.visit = visit
    reporter = FindingReporter(tree: tree, source: source, collector: collector)
    values = ValueReader(reporter: reporter, environment: programs.environment)
  }

  func read() {
    let isWhole = tree.cut == nil && tree.documents.allSatisfy(\.isComplete)
    if !isWhole {
      uncheckedFrom = tree.cut ?? tree.documents.first { !$0.isComplete }?.start
      register.markIncomplete()
    }
    for problem in tree.problems {
      let finding = Self.finding(problem, in: tree.source)
      if case .syntax = problem.kind { uncheckedFrom = Int(finding.range.start) }
      reporter.report(finding)
    }
    let filled = tree.documents.filter { $0.root.map { !isEmpty($0) } ?? false }
    if filled.isEmpty, tree.problems.isEmpty {
      let start = tree.source.textStart
      let hasText = tree.source.bytes.dropFirst(start).contains { $0 > 0x20 }
      reporter.report(EmptyManifest.finding(hasBytes: hasText, at: ByteRange(start, start)))
    }
    for document in filled {
      if let root = document.root { read(document, root) }
    }
  }

  private static func finding(_ problem: YAMLProblem, in source: SourceText) -> Finding {
    let range = problem.range
    switch problem.kind {
    case .encoding(let defect):
      return InvalidEncoding.finding(defect, at: range)
    case .syntax(let problem, let context, let contextRange):
      return BrokenSyntax.finding(
        problem: problem, context: context, contextRange: contextRange, at: range, in: source)
    case .depthLimit(let depth): return DepthLimit.finding(depth, at: range)
    case .fileLimit(let bytes): return SizeLimit.file(bytes, at: range)
    case .scalarLimit(let bytes): return SizeLimit.scalar(bytes, at: range)
    case .aliasLimit(let factor): return AliasLimit.expansion(factor, at: range)
    case .selfReference(let name): return AliasLimit.selfReference(name, at: range)
    case .undefinedAlias(let name, let known):
      return UndefinedAlias.finding(name, known: known, at: range)
    case .duplicateKey(let name, let first):
      return DuplicateKey.finding(name, first: first, at: range)
    }
  }

  private func isEmpty(_ root: YAMLNode) -> Bool {
    tree.kind(of: root) == .scalar && !values.isFilled(root)
  }

  // MARK: Top level

  private func read(_ document: YAMLDocument, _ root: YAMLNode) {
    guard tree.kind(of: root) == .mapping else {
      if tree.kind(of: root) != .unread, !tree.isCut(root) {
        reporter.report(
          WrongType.manifest(found: values.found(root), at: tree.range(of: root)))
      }
      return
    }
    var settings = JobSettings()
    SettingReader(values: values).read(root, scope: .topLevel, defaults: nil, into: &settings)
    register.take(settings, from: reporter)
    let isCut = tree.isCut(root) || !document.isComplete
    if !isCut {
      for id in [FieldID.version, .jobs] where !settings.written.contains(id) {
        let place = tree.firstChild(of: root) ?? root
        reporter.report(
          MissingKey.finding(
            FieldTable.field(id), of: "the manifest", at: tree.range(of: place)))
      }
    }
    let defaults = defaults(settings)
    guard let jobs = settings[.jobs], case .list = jobs.content else { return }
    reporter.following(jobs.written) { read(jobs: jobs.value, defaults: defaults, isCut: isCut) }
  }

  private func defaults(_ settings: JobSettings) -> JobSettings? {
    guard let setting = settings[.defaults], case .mapping = setting.content else { return nil }
    var defaults = JobSettings()
    reporter.within(.key("defaults")) {
      reporter.following(setting.written) {
        SettingReader(values: values).read(
          setting.value, scope: .defaults, defaults: nil, into: &defaults)
      }
    }
    return defaults
  }

  // MARK: Jobs

  private func read(jobs: YAMLNode, defaults: JobSettings?, isCut: Bool) {
    var job = CheckedJob(tree: tree, programs: programs, folder: folder)
    job.defaults = defaults
    var reader = JobReader(values: values, job: job)
    var number = 0
    reporter.path = [.key("jobs"), .item(0)]
    defer {
      reporter.path = []
      reporter.job = nil
    }
    register.reserve(tree.children(of: jobs).reduce(0) { count, _ in count + 1 })
    for item in tree.children(of: jobs) {
      let mapping = tree.resolved(item)
      reporter.path[1] = .item(number)
      switch tree.kind(of: mapping) {
      case .mapping:
        reporter.job = (mapping, number)
        reporter.following(item) {
          reader.read(mapping)
          register.take(reader.job, from: reporter)
          visit(reader.job)
        }
      case .unread, .alias:
        break
      case .sequence where tree.isCut(mapping):
        break
      case .scalar, .sequence:
        reporter.job = nil
        reporter.report(
          WrongType.finding(
            "jobs", wants: "a mapping of job keys", found: values.found(mapping),
            at: tree.range(of: mapping), hint: "begin it with 'identifier:'"), about: item)
      }
      number += 1
    }
    jobCount += number
    if number == 0, !isCut {
      reporter.job = nil
      reporter.path = []
      reporter.report(NoJobs.finding(at: tree.range(of: jobs)), under: "jobs")
    }
  }
}
