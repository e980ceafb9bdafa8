internal import CLinux
internal import Glibc

/// The place in the unified hierarchy of control groups (version 2) where this process may make
/// groups for its runs: below its own group.
package final class ControlGroups {
  /// The folder of this process's own group.
  package let path: String
  private let folder: Descriptor

  /// Nil where the hierarchy isn't mounted, or this process may not make groups in it.
  package init?() {
    guard let root = Self.mountPoint(), let own = ProcessTable.groupPath(in: "/proc/self/cgroup")
    else { return nil }
    path = own == "/" ? root : root + own
    guard unsafe access(path, W_OK) == 0, unsafe access(path + "/cgroup.procs", W_OK) == 0,
      let folder = try? Descriptor.open(path, O_RDONLY | O_DIRECTORY)
    else { return nil }
    self.folder = folder
  }

  var descriptor: Int32 { folder.number }

  /// Kills what a dead runner's runs left in the control groups with a name of theirs and removes
  /// these, wherever in the hierarchy they are; calls back when nothing is left (DU2).
  package static func killLeftovers(
    named isTheirs: (String) -> Bool, on loop: EventLoop, _ done: @escaping () -> Void
  ) {
    let found = mountPoint().map { groups(below: $0, named: isTheirs) } ?? []
    var remaining = found.count
    guard remaining > 0 else { return loop.soon(done) }
    for path in found {
      kill(path, on: loop) {
        remaining -= 1
        if remaining == 0 { done() }
      }
    }
  }

  /// Kills everything in a group, waits until it is gone, and removes the group.
  static func kill(_ path: String, on loop: EventLoop, _ done: @escaping () -> Void) {
    try? Files.write([UInt8(ascii: "1")], to: path + "/cgroup.kill")
    EmptyGroupWait.start(path, on: loop) {
      _ = unsafe rmdir(path)
      done()
    }
  }

  /// Bytes in use by a group, by its own account or as the sum over its processes.
  static func memoryInUse(_ path: String) -> Int64 {
    if let text = try? Files.text(path + "/memory.current"),
      let bytes = Int64(text.prefix { $0.isNumber })
    {
      return bytes
    }
    let processes = (try? Files.text(path + "/cgroup.procs")) ?? ""
    return processes.split(separator: "\n").compactMap { Int32($0) }.reduce(0) {
      $0 + ProcessTable.privateMemory(of: $1)
    }
  }

  /// A group's share of the processors, in terms of niceness; nil where it has none of its own.
  static func niceness(of path: String) -> Int32? {
    guard let text = try? Files.text(path + "/cpu.weight.nice") else { return nil }
    return Int32(text.prefix { !$0.isNewline })
  }

  /// Sets the share of a group that has one.
  static func setNiceness(_ niceness: Int32, of path: String) {
    // A group that is gone needs none.
    try? Files.write(Array("\(niceness)".utf8), to: path + "/cpu.weight.nice")
  }

  /// The processes in a group and in those that its programs made inside.
  static func processes(_ path: String) -> [Int32] {
    var found: [Int32] = []
    var open = [path]
    while let folder = open.popLast() {
      let text = (try? Files.text(folder + "/cgroup.procs")) ?? ""
      found += text.split(separator: "\n").compactMap { Int32($0) }
      open += ((try? Files.list(folder)) ?? []).map { "\(folder)/\($0)" }.filter(Files.isFolder)
    }
    return found
  }

  /// Where the unified hierarchy is mounted, alone or beside the older ones.
  private static func mountPoint() -> String? {
    guard let mounts = try? Files.text("/proc/self/mountinfo") else { return nil }
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash + 1 < fields.count, fields.count > 4,
        fields[dash + 1] == "cgroup2"
      else { continue }
      return String(fields[4])
    }
    return nil
  }

  private static func groups(below root: String, named isTheirs: (String) -> Bool) -> [String] {
    var found: [String] = []
    var open = [root]
    while let folder = open.popLast() {
      for name in (try? Files.list(folder)) ?? [] where !name.hasPrefix("cgroup.") {
        let path = "\(folder)/\(name)"
        guard Files.isFolder(path) else { continue }
        if isTheirs(name) { found.append(path) } else { open.append(path) }
      }
    }
    return found
  }
}

/// Waits until nothing lives in a group: by the group's own announcement, and by a look each 10 ms,
/// because the announcement is lost when somebody removes the group first.
private final class EmptyGroupWait {
  private static let interval: Int64 = 10_000_000

  private let events: Descriptor
  private let done: () -> Void
  private var watch: Watch?
  private var timer: MonotonicTimer?

  static func start(_ path: String, on loop: EventLoop, _ done: @escaping () -> Void) {
    // No such file: no such group.
    guard let events = try? Descriptor.open(path + "/cgroup.events", O_RDONLY) else {
      return loop.soon(done)
    }
    EmptyGroupWait(events, done).begin(on: loop)
  }

  private init(_ events: consuming Descriptor, _ done: @escaping () -> Void) {
    self.events = events
    self.done = done
  }

  /// The closures keep this object alive until the group is empty.
  private func begin(on loop: EventLoop) {
    watch = try? loop.watch(events.number, for: .changed) { [self] _ in look() }
    timer = try? MonotonicTimer(on: loop) { [self] in look() }
    loop.soon { [self] in look() }
  }

  private func look() {
    guard watch != nil || timer != nil else { return }
    guard !isPopulated() else {
      timer?.set(nanoseconds: Clocks.now().monotonic + Self.interval)
      return
    }
    watch?.cancel()
    watch = nil
    timer = nil
    done()
  }

  private func isPopulated() -> Bool {
    var text = [UInt8](repeating: 0, count: 256)
    let count = unsafe text.withUnsafeMutableBytes { buffer in
      unsafe pread(events.number, buffer.baseAddress, buffer.count, 0)
    }
    return count > 0 && String(decoding: text[..<count], as: UTF8.self).contains("populated 1")
  }
}
