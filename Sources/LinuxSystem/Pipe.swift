internal import CLinux
internal import Glibc

/// A pipe; its ends are closed with it, if not before.
package final class Pipe {
  /// The end to read from; doesn't block.
  package let readEnd: Int32
  /// The end to write to; −1 once it is closed.
  package private(set) var writeEnd: Int32

  package init() throws(SystemError) {
    var reading: Int32 = -1
    var writing: Int32 = -1
    try checkNegated(unsafe bgrun_pipe(&reading, &writing), "pipe2")
    readEnd = reading
    writeEnd = writing
  }

  /// Closes this process's writing end: the reader finds the pipe's end once everybody else has.
  package func closeWriteEnd() {
    guard writeEnd >= 0 else { return }
    close(writeEnd)
    writeEnd = -1
  }

  deinit {
    closeWriteEnd()
    close(readEnd)
  }
}
