internal import CLinux
internal import Glibc

/// Two connected stream sockets: one end for this process, one for a program that it starts.
package final class SocketPair {
  /// This process's end; doesn't block.
  package let nearEnd: Int32
  /// The other program's end; −1 once it is closed here.
  package private(set) var farEnd: Int32

  package init() throws(SystemError) {
    var near: Int32 = -1
    var far: Int32 = -1
    try checkNegated(unsafe bgrun_stream_pair(&near, &far), "socketpair")
    nearEnd = near
    farEnd = far
  }

  /// Closes this process's copy of the other end, so that its owner's death is seen.
  package func closeFarEnd() {
    guard farEnd >= 0 else { return }
    close(farEnd)
    farEnd = -1
  }

  deinit {
    closeFarEnd()
    close(nearEnd)
  }
}
