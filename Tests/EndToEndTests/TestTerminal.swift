import Glibc
import Testing

/// A terminal for one program, whose other end is the test.
final class TestTerminal {
  /// Where programs open it.
  let path: String
  private var end: Int32

  /// - Parameter columns: its width; 24 rows.
  init(columns: UInt16 = 100) throws {
    end = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(end >= 0, "no terminal can be made")
    // What unlockpt and ptsname do, which Swift's Glibc leaves out.
    var number: CInt = 0
    try #require(ioctl(end, 0x4004_5431, &number) == 0)
    try #require(ioctl(end, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(end, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit {
    if end >= 0 { close(end) }
  }

  /// The other end, which the caller closes.
  func takeEnd() -> Int32 {
    defer { end = -1 }
    return end
  }
}
