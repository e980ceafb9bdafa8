import Foundation
import Testing

/// A program that really waits for memory, for as long as this object lives: in control groups of its
/// own that give it less than it touches again and again, so that the kernel tells of a stall in the
/// group's `memory.pressure`.
///
/// It takes 16 MiB of memory, a file of 16 MiB, and a minute at most.
final class MemoryShortage {
  /// Why the kernel can't be made to stall a program here; nil where it can.
  static let obstacle: String? = {
    do {
      _ = try Groups()
      return nil
    } catch let obstacle as Obstacle {
      return obstacle.text
    } catch {
      return "\(error)"
    }
  }()

  private struct Obstacle: Error {
    var text: String
  }

  private static let limit = 16 << 20

  private let groups: Groups
  private var program: RunningProgram?

  /// The kernel's file about the stalls of the program's group.
  var pressureFile: String { groups.pressureFile }

  init() throws {
    groups = try Groups()
  }

  /// Starts to press, with a file in `folder`, and returns when the program has all its memory.
  func begin(in folder: String) throws {
    // Pages count for the group whose process touches them first, so everything is made inside. What
    // is private can't be given back, the file's pages can: each of them is read again and again.
    let pressing = """
      import mmap, os, signal, sys
      signal.alarm(60)
      for group in sys.argv[1:]:
          open(group + "/cgroup.procs", "w").write(str(os.getpid()))
      private = bytearray(b"x") * (8 << 20)
      descriptor = os.open("pages", os.O_RDWR | os.O_CREAT)
      for _ in range(16):
          os.write(descriptor, os.urandom(1 << 20))
      os.fsync(descriptor)
      pages = mmap.mmap(descriptor, 16 << 20)
      print("pressing", flush=True)
      while True:
          for page in range(0, len(pages), mmap.PAGESIZE):
              pages[page]
      """
    program = try RunningProgram(
      ["python3", "-c", pressing] + groups.paths,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], in: folder)
    try program?.waitFor("pressing")
  }

  /// Ends the program.
  func end() {
    program = nil
  }

  deinit {
    end()
  }

  /// One group of the unified hierarchy, which has the account of stalls, and where that one doesn't
  /// limit memory, one of the older hierarchy that does.
  private final class Groups {
    private(set) var paths: [String] = []
    var pressureFile: String { paths[0] + "/memory.pressure" }

    init() throws {
      guard getuid() == 0 else {
        throw Obstacle(text: "only root makes control groups with a limit of memory")
      }
      guard let unified = Self.mountPoint(of: "cgroup2") else {
        throw Obstacle(text: "the unified hierarchy of control groups isn't mounted")
      }
      let name = "bgrun-test-shortage-\(UInt64.random(in: 0 ... .max))"
      try make("\(unified)/\(name)")
      guard FileManager.default.isReadableFile(atPath: pressureFile), accepts(pressureFile) else {
        throw Obstacle(text: "this kernel has no pressure stall information for control groups")
      }
      if try limit("\(paths[0])/memory.max") { return }
      guard let older = Self.mountPoint(of: "cgroup", option: "memory") else {
        throw Obstacle(
          text: "control groups below \(unified) have no limit of memory: "
            + "memory isn't in its cgroup.subtree_control")
      }
      try make("\(older)/\(name)")
      guard try limit("\(older)/\(name)/memory.limit_in_bytes") else {
        throw Obstacle(text: "control groups below \(older) have no limit of memory")
      }
    }

    private func make(_ path: String) throws {
      guard mkdir(path, 0o755) == 0 else {
        throw Obstacle(text: "\(path) can't be made: \(String(cString: strerror(errno)))")
      }
      paths.append(path)
    }

    /// Whether there is such a limit, set then.
    private func limit(_ file: String) throws -> Bool {
      guard FileManager.default.fileExists(atPath: file) else { return false }
      try "\(MemoryShortage.limit)".write(toFile: file, atomically: false, encoding: .utf8)
      return true
    }

    /// Without CONFIG_PSI, or with psi=0, the file isn't there or can't be armed.
    private func accepts(_ file: String) -> Bool {
      let descriptor = open(file, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      defer { close(descriptor) }
      let threshold = Array("some 200000 2000000\0".utf8)
      return descriptor >= 0 && write(descriptor, threshold, threshold.count) == threshold.count
    }

    private static func mountPoint(of type: String, option: String? = nil) -> String? {
      let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
      for line in mounts.split(separator: "\n") {
        let fields = line.split(separator: " ").map(String.init)
        guard fields.count > 3, fields[2] == type else { continue }
        let options = fields[3].split(separator: ",").map(String.init)
        if let option, !options.contains(option) { continue }
        return fields[1]
      }
      return nil
    }

    deinit {
      for path in paths { rmdir(path) }
    }
  }
}
