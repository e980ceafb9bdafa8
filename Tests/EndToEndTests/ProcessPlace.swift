import Foundation

/// Where a process stands among what else the machine does.
enum ProcessPlace {
  /// Why runs have no share of the processors here; nil where they have one.
  static let obstacle: String? = {
    guard let group = group(of: getpid()) else {
      return "the unified hierarchy of control groups isn't mounted"
    }
    guard getuid() == 0 else { return "only root makes control groups for certain" }
    let file = "\(group)/cgroup.subtree_control"
    let given = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return given.split(whereSeparator: \.isWhitespace).contains("cpu")
      ? nil : "control groups here have no share of the processors: cpu isn't in \(file)"
  }()

  /// What a program starts with that the tests start: a runner's own may be lower, since it only waits
  /// and passes things on.
  static var ownNiceness: Int32 { max(0, niceness(of: getpid())) }

  /// The niceness of its first thread.
  static func niceness(of process: pid_t) -> Int32 {
    getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(process))
  }

  /// The share of its control group, in terms of niceness; nil where that has none.
  static func share(of process: pid_t) -> Int32? {
    guard let group = group(of: process),
      let text = try? String(contentsOfFile: "\(group)/cpu.weight.nice", encoding: .utf8)
    else { return nil }
    return Int32(text.split(separator: "\n").first ?? "")
  }

  /// What counts against the rest of the machine.
  static func standing(of process: pid_t) -> Int32 {
    share(of: process) ?? niceness(of: process)
  }

  private static func group(of process: pid_t) -> String? {
    let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
    let groups = (try? String(contentsOfFile: "/proc/\(process)/cgroup", encoding: .utf8)) ?? ""
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2, fields[2] == "cgroup2",
        let path = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::") })
      else { continue }
      return "\(fields[1])\(path == "0::/" ? "" : path.dropFirst(3))"
    }
    return nil
  }
}
