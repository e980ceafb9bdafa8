internal import LinuxSystem

/// Whether the machine has a GPU: a render node, or a device of NVIDIA's own driver (CP7).
final class Graphics: ConditionSource {
  private let root: SystemRoot
  private var node: String?
  private var hasChanged = true
  private var files: FolderWatch?

  private static let renderNodes = "/dev/dri"

  let isSettled = true

  init(root: SystemRoot, loop: EventLoop, _ changed: @escaping () -> Void) throws(SystemError) {
    self.root = root
    // Not their writes: every program that writes to /dev/null would wake this one.
    files = try FolderWatch(
      { ["", "/dev", Self.renderNodes].filter { !$0.isEmpty || !root.isReal }.map(root.absolute) },
      for: [.created, .deleted, .movedIn, .movedOut], on: loop,
      concerns: { path in
        ["/dev", Self.renderNodes].contains { path == root.absolute($0) }
          || path.hasPrefix(root.absolute("\(Self.renderNodes)/"))
          || path.hasPrefix(root.absolute("/dev/nvidia"))
      }
    ) { [unowned self] in
      hasChanged = true
      changed()
    }
  }

  func report(to findings: inout Findings) {
    if hasChanged {
      hasChanged = false
      node = findNode()
    }
    findings.hasGPU = Finding(
      value: node != nil, source: node ?? root.absolute(Self.renderNodes))
  }

  private func findNode() -> String? { Self.node(in: root) }

  static func node(in root: SystemRoot) -> String? {
    if let name = root.entries(of: renderNodes)?.first(where: { $0.hasPrefix("renderD") }) {
      return root.absolute("\(renderNodes)/\(name)")
    }
    let devices = root.entries(of: "/dev") ?? []
    return devices.first { name in
      name.hasPrefix("nvidia") && name.dropFirst("nvidia".count).first?.isWholeNumber == true
    }.map { root.absolute("/dev/\($0)") }
  }
}
