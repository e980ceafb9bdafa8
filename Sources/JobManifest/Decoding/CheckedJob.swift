import JobModel
import YAMLSource

/// A job with all its keys read, and the defaults that stand behind them.
struct CheckedJob {
  let tree: YAMLTree
  /// Absolute path of the manifest's folder.
  let folder: String
  var own = JobSettings()
  var defaults: JobSettings?
  /// nil where it is missing or unknown; then every kind's keys are accepted.
  var kind: JobKind?
  /// Keys that were left out, or can't be read, may say what runs.
  var hasUnknownAction = false
  var cron: CronExpression?
  var zone: TimeZoneRules?
  /// What is known of the programs that commands of the set name.
  let programs: ProgramLookup

  init(tree: YAMLTree, programs: ProgramLookup, folder: String) {
    self.programs = programs
    self.tree = tree
    self.folder = folder
  }

  /// Behind a reference: a job is copied for each that takes it.
  var environment: LoaderEnvironment { programs.environment }

  /// Whether the job or its defaults set a field.
  func holds(_ field: FieldID) -> Bool {
    own.written.contains(field) || (defaults?.written.contains(field) ?? false)
  }

  /// Whether the job or its defaults set any of some fields.
  func holdsAny(of fields: FieldSet) -> Bool {
    !own.written.isDisjoint(with: fields) || !(defaults?.written.isDisjoint(with: fields) ?? true)
  }

  /// The job's own setting, else that of the defaults; a null over a default is none.
  func effective(_ field: FieldID) -> Setting? {
    if let setting = own[field] {
      if case .builtIn = setting.content { return nil }
      return setting
    }
    guard let setting = defaults?[field] else { return nil }
    switch field {
    case .every where own.written.contains(.cron), .cron where own.written.contains(.every):
      return nil
    case .every,
      .cron where own.written.contains(.afterSuccessOf):
      return nil
    default:
      return setting
    }
  }

  /// The job's own setting, unless it only takes a default back.
  func set(_ field: FieldID) -> Setting? {
    guard let setting = own[field] else { return nil }
    if case .builtIn = setting.content { return nil }
    return setting
  }

  /// The job's own settings whose field is one of a set.
  func ownKeys(in fields: FieldSet) -> [Setting] {
    guard !own.written.isDisjoint(with: fields) else { return [] }
    return own.all.filter { fields.contains($0.field) }
  }

  /// The handler that runs the job; nil where a program does, or where that can't be read.
  var handlerName: String? {
    guard effective(.command) == nil, effective(.shell) == nil, !hasUnknownAction else {
      return nil
    }
    return text(.handler) ?? text(.identifier)
  }

  /// A path of the manifest against its folder.
  func absolute(_ path: String) -> String {
    path.hasPrefix("/") ? path : "\(folder == "/" ? "" : folder)/\(path)"
  }

  func name(_ setting: Setting) -> String { FieldTable.field(setting.field).name }

  func keyRange(_ setting: Setting) -> ByteRange { tree.range(of: setting.key) }

  func valueRange(_ setting: Setting) -> ByteRange { tree.range(of: setting.written) }

  func text(_ field: FieldID) -> String? {
    guard let setting = effective(field), case .text = setting.content else { return nil }
    return tree.text(of: setting.value)
  }
}

/// Looks each program up once: many jobs name the same one.
final class ProgramLookup {
  let environment: LoaderEnvironment
  private var known: [String: LoaderEnvironment.Program] = [:]
  private var lastFound: ContiguousArray<UInt8> = []

  init(environment: LoaderEnvironment) { self.environment = environment }

  /// Whether a scalar names the program that was found last, wherever its manifest is: mostly it
  /// does, and then no string is made of it.
  func wasFoundLast(_ name: YAMLNode, in tree: YAMLTree) -> Bool {
    !lastFound.isEmpty && tree.text(of: name, equals: lastFound)
  }

  /// - Parameter folder: that of the manifest, from which relative paths count.
  func find(_ name: String, from folder: String) -> LoaderEnvironment.Program {
    let isRelative = name.utf8.contains(UInt8(ascii: "/")) && !name.hasPrefix("/")
    let key = isRelative ? "\(folder)/\(name)" : name
    let program = known[key] ?? environment.program(name, folder)
    known[key] = program
    if case .found = program, !isRelative { lastFound = ContiguousArray(name.utf8) }
    return program
  }
}
