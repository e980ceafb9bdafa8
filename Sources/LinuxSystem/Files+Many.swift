extension Files {
  /// So many files take longer to open and read than a thread to start.
  private static let many = 64

  /// All bytes of each file, in the order of the paths; of many files the second half is read on
  /// another thread.
  package static func read(_ paths: [String]) -> [Result<[UInt8], SystemError>] {
    guard paths.count >= many, Machine.coreCount > 1 else { return each(paths[...]) }
    let second = JoinedThread.start { each(paths[(paths.count / 2)...]) }
    return each(paths[..<(paths.count / 2)]) + second()
  }

  private static func each(_ paths: ArraySlice<String>) -> [Result<[UInt8], SystemError>] {
    paths.map { path in
      Result { () throws(SystemError) in try read(path) }
    }
  }
}
