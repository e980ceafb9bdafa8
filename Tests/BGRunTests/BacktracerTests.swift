import BGRun
import Testing

@Suite("The program that prints backtraces")
struct BacktracerTests {
  private static let toolchain = "/opt/swift/usr/lib/swift/linux/libswiftCore.so"

  @Test(
    arguments: [
      // A static program has what is shipped beside it, or nothing.
      (nil, ["/srv/app/swift-backtrace-static"], "/srv/app/swift-backtrace-static"),
      (nil, ["/opt/swift/usr/libexec/swift/linux/swift-backtrace"], nil),
      (nil, [], nil),
      // One that uses a toolchain's runtime has that toolchain's.
      (
        toolchain, ["/opt/swift/usr/libexec/swift/linux/swift-backtrace"],
        "/opt/swift/usr/libexec/swift/linux/swift-backtrace"
      ),
      (
        toolchain,
        ["/srv/app/swift-backtrace-static", "/opt/swift/usr/libexec/swift/swift-backtrace"],
        "/srv/app/swift-backtrace-static"
      ),
      (toolchain, [], nil),
      // A runtime that was copied from its toolchain.
      ("/srv/app/libswiftCore.so", ["/srv/app/swift-backtrace"], "/srv/app/swift-backtrace"),
      ("/srv/app/libswiftCore.so", [], nil),
    ] as [(String?, [String], String?)])
  func `is what is shipped, then the toolchain's, and else no log begins with a complaint`(
    library: String?, files: [String], found: String?
  ) {
    let backtracer = Backtracer(
      executable: "/srv/app/ColorFeed", library: library, isExecutable: files.contains)
    #expect(backtracer.path == found)
  }
}
