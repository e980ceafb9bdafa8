internal import JobModel
internal import LinuxSystem

/// What systemd-networkd writes of the network as a whole, for machines without NetworkManager
/// (PL3).
///
/// It can only add a way out: routes that others have set up, networkd doesn't count.
final class NetworkState: ConditionSource {
  private static let folder = "/run/systemd/netif"
  private let root: SystemRoot
  private var isOnline = false
  private var hasChanged = true
  private var files: FolderWatch?

  let isSettled = true

  init(root: SystemRoot, loop: EventLoop, _ changed: @escaping () -> Void) throws(SystemError) {
    self.root = root
    let folder = root.absolute(Self.folder)
    files = try FolderWatch(
      { [Files.parent(of: folder), folder] }, for: [.created, .movedIn, .deleted], on: loop,
      concerns: { $0 == folder || $0 == "\(folder)/state" }
    ) { [unowned self] in
      hasChanged = true
      changed()
    }
  }

  func report(to findings: inout Findings) {
    if hasChanged {
      hasChanged = false
      isOnline = read()
    }
    guard isOnline, !findings.isConnected else { return }
    findings.connectivity = Finding(
      value: .connected, source: root.absolute("\(Self.folder)/state"))
  }

  /// Whether the state is one in which networkd-wait-online would let others go on.
  private func read() -> Bool {
    let lines = root.text(of: "\(Self.folder)/state")?.split(separator: "\n") ?? []
    return lines.contains { $0 == "ONLINE_STATE=online" || $0 == "ONLINE_STATE=partial" }
  }
}
