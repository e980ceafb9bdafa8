internal import CLinux
internal import Glibc

/// What a descriptor shows text on.
package enum Terminal {
  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// The columns of a terminal; nil for anything else, or one that doesn't know.
  package static func columns(of descriptor: Int32) -> Int? {
    let columns = bgrun_terminal_columns(descriptor)
    return columns > 0 ? Int(columns) : nil
  }
}
