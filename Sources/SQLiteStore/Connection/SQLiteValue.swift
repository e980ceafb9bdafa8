/// A value that a statement binds.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)

  package init(_ integer: Int64?) {
    self = integer.map { .integer($0) } ?? .null
  }

  package init(_ number: Double?) {
    self = number.map { .real($0) } ?? .null
  }

  package init(_ text: String?) {
    self = text.map { .text($0) } ?? .null
  }

  package init(_ isTrue: Bool) {
    self = .integer(isTrue ? 1 : 0)
  }
}
