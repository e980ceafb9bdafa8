/// Why an archive can't be written.
package struct ArchiveError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Without its full stop.
  package let description: String
}
