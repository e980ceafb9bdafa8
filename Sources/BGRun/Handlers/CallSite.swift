/// Where in a program's source something was called, for sentences about misuse.
package struct CallSite: Hashable, Sendable, CustomStringConvertible {
  /// The module and file, as `#fileID` gives them.
  package let file: String
  package let line: UInt

  package init(file: String, line: UInt) {
    self.file = file
    self.line = line
  }

  package var description: String { "\(file):\(line)" }
}
