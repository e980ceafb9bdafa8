/// The name under which a job is permitted, submitted and recorded: reverse-DNS text, or a pattern
/// that ends in `.*` (RG7).
///
/// The loader checks the form; this type only carries it.
package struct JobIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package var description: String { text }

  /// Whether this is a manifest pattern, not the name of one job.
  package var isWildcard: Bool { text.hasSuffix(".*") }

  /// Whether this pattern stands for `concrete`: one or more further labels behind its prefix (RG7).
  package func covers(_ concrete: JobIdentifier) -> Bool {
    guard isWildcard, !concrete.isWildcard else { return self == concrete }
    let prefix = text.utf8.dropLast(1)
    return concrete.text.utf8.count > prefix.count && concrete.text.utf8.starts(with: prefix)
  }

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// A request's number in its store.
package struct RequestID: Hashable, Comparable, Sendable {
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// A run's number, sequential in its store (ST1).
package struct RunNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }

  package var description: String { String(value) }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// The token that an owner's transitions carry: a store applies an end only to the fence that
/// claimed the run (ST1).
package struct Fence: Hashable, Comparable, Sendable {
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

/// The state of a store, counted up by each transaction that changed it.
package struct Revision: Hashable, Comparable, Sendable {
  package let value: Int64

  package init(_ value: Int64) {
    self.value = value
  }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}
