internal import CLinux
internal import Glibc

/// What a descriptor shows text on.
package enum Terminal {
  /// Whether the descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool {
    isatty(descriptor) == 1
  }

  /// Whether this process is in the foreground: its process group is the foreground group of its
  /// controlling terminal (CP1). A process without a controlling terminal isn't.
  package static var isOwnGroupInForeground: Bool {
    guard let terminal = try? Descriptor.open("/dev/tty", O_RDONLY | O_NOCTTY) else { return false }
    return tcgetpgrp(terminal.number) == getpgrp()
  }

  /// The columns of a terminal; nil for anything else, or one that doesn't know.
  package static func columns(of descriptor: Int32) -> Int? {
    let columns = bgrun_terminal_columns(descriptor)
    return columns > 0 ? Int(columns) : nil
  }
}
