import JobEngine
import LinuxSystem

/// Tells the runner which runs are followed from a terminal, as that changes.
final class AttendanceWatch {
  private let folder: ForegroundFolder
  private let changed: (Attendance) -> Void
  private var known = Attendance()
  private var files: FileWatch?
  private var recheck: MonotonicTimer?

  /// The kernel reports a close a moment before it drops the lock, so look once more.
  private static let recheckDelay: Int64 = 50_000_000

  init(
    _ folder: ForegroundFolder, loop: EventLoop, changed: @escaping (Attendance) -> Void
  ) throws(SystemError) {
    self.folder = folder
    self.changed = changed
    try folder.make()
    recheck = try MonotonicTimer(on: loop) { [unowned self] in look() }
    let files = try FileWatch(on: loop) { [unowned self] event in
      look()
      if event.isOverflow || event.changes.contains(.closedAfterWriting) {
        recheck?.set(nanoseconds: Clocks.now().monotonic + Self.recheckDelay)
      }
    }
    try files.add(folder.path, for: [.movedIn, .deleted, .closedAfterWriting])
    self.files = files
  }

  /// Asks the locks for the truth, and tidies up after followers that are gone.
  func look() {
    // A folder that can't be read has nobody in it who can be reached.
    let marks = ((try? HeldFile.held(in: folder.path)) ?? [])
      .compactMap(ForegroundFolder.Mark.init)
    let attendance = Attendance(
      followed: Set(marks.map(\.run)),
      interactive: Set(marks.filter(\.canAnswer).map(\.run)))
    guard attendance != known else { return }
    known = attendance
    changed(attendance)
  }
}
