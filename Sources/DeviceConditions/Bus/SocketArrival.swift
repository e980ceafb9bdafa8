internal import LinuxSystem

/// Waits for a path to be made, without looking for it again and again.
final class SocketArrival {
  private var files: FileWatch?

  /// Calls the handler when the path, or a folder on the way to it, has been made.
  ///
  /// - Throws: `SystemError` when no folder on the way can be watched.
  init(of path: String, on loop: EventLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    // The nearest folder that is there, and what must come in it.
    var folder = Files.parent(of: path)
    var awaited = Files.name(of: path)
    while !Files.isFolder(folder), folder != "/", folder != "." {
      awaited = Files.name(of: folder)
      folder = Files.parent(of: folder)
    }
    let files = try FileWatch(on: loop) { event in
      if event.isOverflow || event.name == awaited { handler() }
    }
    try files.add(folder, for: [.created, .movedIn])
    self.files = files
    // It may have come before it was watched.
    if (try? Files.status("\(folder)/\(awaited)")) ?? nil != nil { loop.soon(handler) }
  }
}
