/// Where in a program's source something was called, for sentences about misuse.
package struct CallSite: Hashable, Sendable, CustomStringConvertible {
  /// The module and file, as `#fileID` gives them.
  package let file: String
  package let line: UInt

  package init(file: String, line: UInt) {
    self.file = file
    self.line = line
  }

  /// A call that can't tell its place: through a protocol, or as a function value.
  package static let unknown = CallSite(file: "", line: 0)

  package var description: String {
    self == .unknown ? "a place that is not known" : "\(file):\(line)"
  }
}
