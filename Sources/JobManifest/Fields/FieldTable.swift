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
    var hash: UInt32
    /// The number of the field plus one; 0 is a free slot.
    var field: UInt16
    var length: UInt16
    var nameStart: UInt32
  }

  private let fields: ContiguousArray<Field>
  private let slots: ContiguousArray<Slot>
  /// The names one behind the other: looking one up makes no string and counts no reference.
  private let names: ContiguousArray<UInt8>

  init(_ fields: [Field]) {
    var capacity = 16
    while capacity < 4 * fields.count { capacity *= 2 }
    let free = Slot(hash: 0, field: 0, length: 0, nameStart: 0)
    var slots = ContiguousArray<Slot>(repeating: free, count: capacity)
    var names: ContiguousArray<UInt8> = []
    for (number, field) in fields.enumerated() {
      let hash = KeyHash(field.name).value
      var slot = Int(hash) & (capacity - 1)
      while slots[slot].field != 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = Slot(
        hash: hash, field: UInt16(number + 1), length: UInt16(field.name.utf8.count),
        nameStart: UInt32(names.count))
      names.append(contentsOf: field.name.utf8)
    }
    self.fields = ContiguousArray(fields)
    self.slots = slots
    self.names = names
  }

  /// The field that a key names.
  func field(for key: YAMLNode, in tree: YAMLTree) -> Field? {
    let hash = tree.keyHash(of: key).value
    var number = Int(hash) & (slots.count - 1)
    while slots[number].field != 0 {
      let slot = slots[number]
      let name = Int(slot.nameStart)..<Int(slot.nameStart) + Int(slot.length)
      if slot.hash == hash, tree.text(of: key, equals: names, in: name) {
        return fields[Int(slot.field) - 1]
      }
      number = (number + 1) & (slots.count - 1)
    }
    return nil
  }
}
