import Glibc
import JobEngine
import JobModel
import LinuxSystem
import Testing

@testable import Runner

@Suite("Who follows runs is known by held files")
final class AttendanceWatchTests {
  private let state: String
  private let folder: ForegroundFolder
  private let loop: EventLoop
  private var seen: [Attendance] = []

  init() throws {
    var template = Array("/tmp/bgrun-watch-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    state = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    folder = ForegroundFolder(stateDirectory: state)
    loop = try EventLoop()
  }

  deinit {
    for name in (try? Files.list(folder.path)) ?? [] { unlink("\(folder.path)/\(name)") }
    rmdir(folder.path)
    rmdir(state)
  }

  private func watch() throws -> AttendanceWatch {
    try AttendanceWatch(folder, loop: loop) { [unowned self] in seen.append($0) }
  }

  /// Runs the loop until the last attendance is this one.
  private func wait(for attendance: Attendance) throws {
    let end = Clocks.now().monotonic + 10_000_000_000
    while seen.last != attendance, Clocks.now().monotonic < end {
      try loop.runOnce(waitingAtMost: .milliseconds(500))
    }
    #expect(seen.last == attendance)
  }

  @Test func `CP9: followers come, answer or only watch, and go, each run on its own`() throws {
    let watch = try watch()
    let (one, two) = (RunNumber(1), RunNumber(2))
    var first: HeldFile? = try folder.enter(one, canAnswer: true)
    try wait(for: Attendance(followed: [one], interactive: [one]))
    let second = try folder.enter(one, canAnswer: false)
    let third = try folder.enter(two, canAnswer: false)
    try wait(for: Attendance(followed: [one, two], interactive: [one]))
    #expect(first != nil)
    first = nil
    try wait(for: Attendance(followed: [one, two]))
    withExtendedLifetime((watch, second, third)) {}
  }

  @Test func `CP9: a runner that starts later sees who is there already`() throws {
    let run = RunNumber(7)
    let file = try folder.enter(run, canAnswer: true)
    let watch = try watch()
    watch.look()
    #expect(seen == [Attendance(followed: [run], interactive: [run])])
    withExtendedLifetime(file) {}
  }

  @Test func `CP9: a follower that was killed has left nothing that counts`() async throws {
    let state = state
    await #expect(processExitsWith: .signal(SIGKILL)) { [state = state as String] in
      let folder = ForegroundFolder(stateDirectory: state)
      let file = try folder.enter(RunNumber(1), canAnswer: true)
      withExtendedLifetime(file) { _ = kill(getpid(), SIGKILL) }
    }
    #expect(try Files.list(folder.path).count == 1)
    let watch = try watch()
    watch.look()
    #expect(seen.isEmpty)
    #expect(try Files.list(folder.path) == [])
  }

  @Test(arguments: ["", "1", "1.answers", "x.answers.0", "1.sleeps.0", "1.answers.0.1"])
  func `a name that no follower gives says nothing`(name: String) {
    #expect(ForegroundFolder.Mark(name) == nil)
  }
}
