internal import Glibc

/// One instance of the kernel's inotify, which the watches of a loop share: an account may have only
/// 128 of them, and closing one waits for some 8 ms.
final class Inotify {
  /// What one watch wants to hear of one file or folder.
  private struct Subscription {
    weak var watch: FileWatch?
    /// Whose it is, also while that is being released.
    let owner: ObjectIdentifier
    let path: String
    let changes: FileWatch.Changes
  }

  /// One report as the kernel has it.
  private struct Report {
    let number: Int32
    let mask: UInt32
    let name: String

    func isOf(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
  }

  private let descriptor: Descriptor
  private var subscriptions: [Int32: [Subscription]] = [:]
  private var watch: Watch?
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  init(on loop: EventLoop) throws(SystemError) {
    descriptor = Descriptor(
      owning: try check(inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK)), "inotify_init1"))
    watch = try loop.watch(descriptor.number, for: .readable) { [weak self] _ in self?.drain() }
  }

  deinit {
    watch?.cancel()
  }

  /// Tells the watch of these changes of a path, which must exist, instead of what it wanted before.
  func add(_ path: String, for changes: FileWatch.Changes, to watch: FileWatch) throws(SystemError)
  {
    // Others may want to hear more of the same file: what one doesn't want isn't passed on to it.
    let mask = changes.rawValue | UInt32(IN_MASK_ADD)
    let number = try check(
      unsafe inotify_add_watch(descriptor.number, path, mask), "inotify_add_watch", path)
    let owner = ObjectIdentifier(watch)
    subscriptions[number, default: []].removeAll { $0.owner == owner }
    subscriptions[number]?.append(
      Subscription(watch: watch, owner: owner, path: path, changes: changes))
  }

  /// Ends what the watch wants to hear of a path.
  func remove(_ path: String, from watch: FileWatch) {
    let owner = ObjectIdentifier(watch)
    remove { $0.owner == owner && $0.path == path }
  }

  /// Ends all that the watch wants to hear.
  func removeAll(from watch: FileWatch) {
    let owner = ObjectIdentifier(watch)
    remove { $0.owner == owner }
  }

  private func remove(where isOver: (Subscription) -> Bool) {
    for (number, known) in subscriptions where known.contains(where: isOver) {
      let others = known.filter { !isOver($0) }
      subscriptions[number] = others.isEmpty ? nil : others
      if others.isEmpty { inotify_rm_watch(descriptor.number, number) }
    }
  }

  func pause() { watch?.pause() }
  func resume() { watch?.resume() }

  private func drain() {
    while case .bytes(let count)? = try? Descriptors.read(descriptor.number, into: &buffer) {
      for report in reports(in: count) { deliver(report) }
    }
  }

  private func deliver(_ report: Report) {
    // That a watch is gone is told by `selfGone`.
    if report.isOf(IN_IGNORED) {
      subscriptions[report.number] = nil
    } else if report.isOf(IN_Q_OVERFLOW) {
      let event = FileWatch.Event(path: "", name: "", changes: [], isOverflow: true)
      var told: Set<ObjectIdentifier> = []
      for subscription in subscriptions.values.joined()
      where told.insert(subscription.owner).inserted {
        subscription.watch?.handler(event)
      }
    } else {
      for subscription in subscriptions[report.number] ?? []
      where report.isOf(Int32(bitPattern: subscription.changes.rawValue) | IN_UNMOUNT) {
        // A handler that was called before may have released this one.
        subscription.watch?.handler(
          FileWatch.Event(
            path: subscription.path, name: report.name,
            changes: FileWatch.Changes(kernel: report.mask), isOverflow: false))
      }
    }
  }

  private func reports(in count: Int) -> [Report] {
    var reports: [Report] = []
    let headerSize = MemoryLayout<inotify_event>.size
    unsafe buffer.withUnsafeBytes { bytes in
      var offset = 0
      while offset + headerSize <= count {
        let number = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self)
        let mask = unsafe bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        let length = unsafe Int(bytes.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
        let start = offset + headerSize
        let name = unsafe bytes[start..<min(count, start + length)].prefix { $0 != 0 }
        offset = start + length
        reports.append(
          unsafe Report(number: number, mask: mask, name: String(decoding: name, as: UTF8.self)))
      }
    }
    return reports
  }
}
