import JobModel
import YAMLSource

/// The whole format: which keys stand where, found by their hash.
package enum FieldTable {
  package static func fields(of scope: FieldScope) -> [Field] {
    switch scope {
    case .topLevel: TopLevelFields.all
    case .defaults: JobFields.all.filter(\.mayBeDefault)
    case .job: JobFields.all
    case .schedule: GroupFields.schedule
    case .retry: GroupFields.retry
    case .progress: GroupFields.progress
    case .output: GroupFields.output
    case .freeSpace: GroupFields.freeSpace
    case .concurrency: TopLevelFields.concurrency
    case .pendingLimits: TopLevelFields.pendingLimits
    case .lifecycle: TopLevelFields.lifecycle
    }
  }

  /// The scopes in the order in which a misplaced key is looked for.
  static let searchOrder: [FieldScope] = [
    .job, .topLevel, .schedule, .retry, .progress, .output, .concurrency, .pendingLimits,
    .lifecycle, .freeSpace,
  ]

  static func index(of scope: FieldScope) -> FieldIndex { indexes[scope.rawValue] }

  private static let indexes: [FieldIndex] = FieldScope.allCases.map { FieldIndex($0.fields) }

  /// The description of a key by its number.
  package static func field(_ id: FieldID) -> Field { byID[Int(id.rawValue)] }

  /// The group that holds a key; nil for keys of a job or of the top level itself.
  package static func scope(of id: FieldID) -> FieldScope { scopeByID[Int(id.rawValue)] }

  private static let byID: [Field] = FieldID.allCases.map { id in
    searchOrder.lazy.flatMap(\.fields).first { $0.id == id }!
  }

  private static let scopeByID: [FieldScope] = FieldID.allCases.map { id in
    searchOrder.first { $0.fields.contains { $0.id == id } }!
  }

  /// The name of a key with its group, such as `schedule.every`.
  package static func path(of id: FieldID) -> String {
    let name = field(id).name
    return scope(of: id).name.map { "\($0).\(name)" } ?? name
  }
}

/// Finds a scope's field by the hash that reading has already taken of a key.
final class FieldIndex: Sendable {
  private struct Slot {
    var hash: KeyHash
    var field: Field
  }

  private let slots: ContiguousArray<Slot?>

  init(_ fields: [Field]) {
    var capacity = 16
    while capacity < 4 * fields.count { capacity *= 2 }
    var slots = ContiguousArray<Slot?>(repeating: nil, count: capacity)
    for field in fields {
      let hash = KeyHash(field.name)
      var slot = Int(hash.value) & (capacity - 1)
      while slots[slot] != nil { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = Slot(hash: hash, field: field)
    }
    self.slots = slots
  }

  /// The field that a key names.
  func field(for key: YAMLNode, in tree: YAMLTree) -> Field? {
    let hash = tree.keyHash(of: key)
    var slot = Int(hash.value) & (slots.count - 1)
    while let entry = slots[slot] {
      if entry.hash == hash, tree.text(of: key, equals: entry.field.nameBytes) {
        return entry.field
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }
}
