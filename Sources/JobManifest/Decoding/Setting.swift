import YAMLSource

/// A key with the value that was read behind it.
struct Setting: Sendable {
  let field: FieldID
  let key: YAMLNode
  /// The value as written; an alias where one stands there.
  let written: YAMLNode
  /// The value itself.
  let value: YAMLNode
  let content: Content

  /// A value by its type. Texts, lists and mappings stay in the source until they are wanted.
  enum Content: Sendable {
    /// There, but wrong or unread: reported already, and nothing is concluded from it.
    case unusable
    /// A null over a default: the built-in value again.
    case builtIn
    case boolean(Bool)
    case integer(Int)
    case duration(Duration)
    case size(Int64)
    /// The number of the word among the field's.
    case word(Int)
    /// `none`, or `never`.
    case noLimit
    case text
    case list
    case mapping
  }
}

/// The settings of one mapping of job keys, groups spread out: `schedule.every` beside `kind`.
struct JobSettings: Sendable {
  private(set) var all: ContiguousArray<Setting> = []
  private(set) var written = FieldSet()

  /// Keeps the first setting of a field; a second one was reported as a duplicate, or comes from
  /// a merged mapping, over which the explicit key wins.
  mutating func add(_ setting: Setting) {
    if written.insert(setting.field).inserted { all.append(setting) }
  }

  mutating func removeAll() {
    all.removeAll(keepingCapacity: true)
    written = FieldSet()
  }

  subscript(field: FieldID) -> Setting? {
    guard written.contains(field) else { return nil }
    for index in all.indices where all[index].field == field { return all[index] }
    return nil
  }
}
