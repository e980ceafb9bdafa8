package import JobModel

/// The description of one key: everything that the loader, its messages, the schema and the
/// reference say about the key comes from here.
package final class Field: Sendable {
  package let id: FieldID
  package let name: String
  package let type: ValueType
  /// The keys of a mapping that may stand behind the key, where it is a group.
  let group: FieldScope?
  /// What the key's value is looked up in, where it is one of some words.
  let words: WordTable?
  /// Where the key has an effect.
  package let effect: Effect
  /// Whether it may stand under `defaults`.
  package let mayBeDefault: Bool
  /// What holds where nobody sets it, as one would write it or say it; nil: nothing.
  package let builtIn: String?
  /// One sentence for the reference.
  package let summary: String
  /// The key as it is written in a job.
  package let example: String
  /// What people call it elsewhere.
  package let borrowed: [String]

  init(
    _ id: FieldID, _ name: String, _ type: ValueType, effect: Effect = .everywhere,
    mayBeDefault: Bool = false, builtIn: String? = nil, _ summary: String, example: String,
    borrowed: [String] = []
  ) {
    self.id = id
    self.name = name
    self.type = type
    group = type.group
    words = if case .word(let words) = type { WordTable(words) } else { nil }
    self.effect = effect
    self.mayBeDefault = mayBeDefault
    self.builtIn = builtIn
    self.summary = summary
    self.example = example
    self.borrowed = borrowed
  }

  /// The kinds and actions for which a key does something.
  package struct Effect: Sendable {
    package let kinds: Set<JobKind>
    /// Only where a program runs, by `command` or `shell`.
    package let needsCommand: Bool

    package static let everywhere = Effect(kinds: Set(JobKind.allCases), needsCommand: false)
    /// CP1: continued tasks start from a person's action, at once and without a time limit.
    package static let notContinued = Effect(
      kinds: [.appRefresh, .processing], needsCommand: false)
    package static let onlyContinued = Effect(kinds: [.continuedProcessing], needsCommand: false)
    package static let onlyCommand = Effect(kinds: Set(JobKind.allCases), needsCommand: true)
  }
}

/// The places in which keys stand, each with its own set of them.
package enum FieldScope: Int, CaseIterable, Sendable {
  case topLevel
  case defaults
  case job
  case schedule, retry, progress, output, freeSpace
  case concurrency, pendingLimits, lifecycle

  package var fields: [Field] { FieldTable.fields(of: self) }

  /// The key that holds a group, the name that paths and messages use.
  package var name: String? {
    switch self {
    case .topLevel, .job: nil
    case .defaults: "defaults"
    case .schedule: "schedule"
    case .retry: "retry"
    case .progress: "progress"
    case .output: "output"
    case .freeSpace: "minimumFreeSpace"
    case .concurrency: "concurrency"
    case .pendingLimits: "pendingLimits"
    case .lifecycle: "lifecycle"
    }
  }
}
