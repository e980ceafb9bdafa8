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

  /// Whether text for the descriptor is coloured: `NO_COLOR` forbids it, `CLICOLOR_FORCE` asks
  /// for it, and otherwise it takes a terminal that isn't `dumb`.
  package static func isColoured(_ descriptor: Int32, environment: [String: String]) -> Bool {
    if let refusal = environment["NO_COLOR"], !refusal.isEmpty { return false }
    if let wish = environment["CLICOLOR_FORCE"], !wish.isEmpty, wish != "0" { return true }
    return isTerminal(descriptor) && environment["TERM"] != nil && environment["TERM"] != "dumb"
  }
}
