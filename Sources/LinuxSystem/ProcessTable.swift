internal import Glibc

/// What /proc tells of processes; a process that is gone is never an error.
package enum ProcessTable {
  /// The parent of a process.
  package static func parent(of process: Int32) -> Int32? {
    guard let text = try? Files.text("/proc/\(process)/stat"),
      let nameEnd = text.lastIndex(of: ")")
    else { return nil }
    // After the name in parentheses: state, parent, …
    let fields = text[text.index(after: nameEnd)...].split(separator: " ", maxSplits: 2)
    return fields.count > 1 ? Int32(fields[1]) : nil
  }

  /// Whether `process` is a child, or a child's child and so on, of `ancestor`.
  package static func isDescendant(_ process: Int32, of ancestor: Int32) -> Bool {
    var current = process
    // Deeper than any real tree; a table that changes while it is read can't loop for ever.
    for _ in 0..<4096 {
      guard current > 1, let above = parent(of: current) else { return false }
      if above == ancestor { return true }
      current = above
    }
    return false
  }

  /// Everything below a process.
  package static func descendants(of ancestor: Int32) -> [Int32] {
    var children: [Int32: [Int32]] = [:]
    for name in (try? Files.list("/proc")) ?? [] {
      guard let process = Int32(name), let above = parent(of: process) else { continue }
      children[above, default: []].append(process)
    }
    var found: [Int32] = []
    var open = children[ancestor] ?? []
    while let process = open.popLast() {
      found.append(process)
      open += children[process] ?? []
    }
    return found
  }

  /// The path of a process's group in the unified hierarchy of control groups.
  package static func groupPath(of process: Int32) -> String? {
    groupPath(in: "/proc/\(process)/cgroup")
  }

  static func groupPath(in file: String) -> String? {
    guard let text = try? Files.text(file) else { return nil }
    return text.split(separator: "\n").first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) }
  }

  /// Bytes of a process that aren't backed by a file or shared memory.
  package static func privateMemory(of process: Int32) -> Int64 {
    guard let text = try? Files.text("/proc/\(process)/statm") else { return 0 }
    let fields = text.split(separator: " ", maxSplits: 3).compactMap { Int64($0) }
    guard fields.count == 3 else { return 0 }
    return max(0, fields[1] - fields[2]) * Int64(sysconf(Int32(_SC_PAGESIZE)))
  }
}
