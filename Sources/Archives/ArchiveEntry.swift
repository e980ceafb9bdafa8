/// What is stored under a name of an archive.
package struct ArchiveEntry: Sendable {
  package enum Content: Sendable {
    /// Of so many bytes, all of which have to be written behind the entry.
    case file(size: Int64)
    case folder
    /// What the link says.
    case symbolicLink([UInt8])
    /// The name under which the file is stored already.
    case hardLink([UInt8])
  }

  /// With slashes between its parts, as the file system has it: it need not be UTF-8.
  package var name: [UInt8]
  package var content: Content
  /// The bits of chmod(2).
  package var permissions: UInt32
  package var user: UInt32
  package var group: UInt32
  /// Nanoseconds since 1970.
  package var modified: Int64

  package init(
    name: [UInt8], content: Content, permissions: UInt32, user: UInt32, group: UInt32,
    modified: Int64
  ) {
    self.name = name
    self.content = content
    self.permissions = permissions
    self.user = user
    self.group = group
    self.modified = modified
  }
}
