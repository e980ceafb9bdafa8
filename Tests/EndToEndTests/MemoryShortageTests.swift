import Glibc
import Testing

/// Handlers of Apple's classes while the kernel really stalls a program for want of memory.
@Suite("A shortage of memory")
struct MemoryShortageTests {
  private func place(_ pressureFile: String) throws -> Workplace {
    let place = try Workplace(
      """
        - identifier: com.example.feed.export.*
          kind: continuedProcessing
          title: Export
        - identifier: com.example.feed.obeying
          kind: continuedProcessing
          title: Waiting
          progress: {stallAfter: 1h}
          retry: {initialDelay: 1s, jitter: false}

      """,
      top: "version: 1\napp: com.example.feed\n", program: "AppleFixture")
    try place.write("device/proc/pressure/.folder", "")
    try #require(symlink(pressureFile, "\(place.folder)/device/proc/pressure/memory") == 0)
    return place
  }

  @Test(
    .enabled(
      if: MemoryShortage.obstacle == nil,
      "no program can be made to wait for memory: \(MemoryShortage.obstacle ?? "")"))
  func `CP4, LC9: a real stall expires what made no progress, which comes back when it is over`()
    throws
  {
    let shortage = try MemoryShortage()
    let place = try place(shortage.pressureFile)
    let runner = try place.startRunner()
    try runner.waitFor("store ")
    // The first to start is the one that moves on, the second the one that makes no progress.
    let moving = try place.start(["start", "com.example.feed.export.palettes"])
    try moving.waitFor("Run 1 of com.example.feed.export.palettes has started.")
    let waiting = try place.start(["start", "com.example.feed.obeying"])
    try waiting.waitFor("Run 2 of com.example.feed.obeying has started.")
    let log = try place.start(["logs", "2", "--follow"])
    try log.waitFor("waiting\n")

    try shortage.begin(in: place.folder)
    try runner.waitFor("com.example.feed.obeying: run 2 is expiring (preempted)")
    shortage.end()
    try runner.waitFor("run 2 expired (preempted, the machine is short of memory)")
    let row = try #require(try place.history("com.example.feed.obeying").first)
    #expect(row["outcome"] as? String == "expired")
    #expect(row["reason"] as? String == "preempted")
    #expect(row["detail"] as? String == "the machine is short of memory")
    #expect(try log.waitForEnd().output.contains("told on the main thread: false\n"))
    #expect(try place.history("com.example.feed.export.palettes").isEmpty)
    try runner.waitFor("com.example.feed.obeying: run 3 started")
    #expect(try place.bgrun("cancel", "com.example.feed.export.palettes").status == 0)
    #expect(try moving.waitForEnd().status == 1)
  }
}
