import Glibc
import LinuxSystem
import Testing

@Suite("The foreground of a terminal")
struct ForegroundTests {
  @Test func `CP1: a process without a controlling terminal isn't in the foreground`() async {
    await #expect(processExitsWith: .success) {
      guard setsid() >= 0 else { exit(2) }
      exit(Terminal.isOwnGroupInForeground ? 1 : 0)
    }
  }

  @Test func `CP1: the foreground group of the controlling terminal is, until another one is`()
    async
  {
    await #expect(processExitsWith: .success) {
      guard setsid() >= 0 else { exit(2) }
      // What unlockpt and ptsname do, which Swift's Glibc leaves out.
      let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var number: CInt = 0
      guard ioctl(main, 0x4004_5431, &number) == 0, ioctl(main, 0x8004_5430, &number) == 0 else {
        exit(3)
      }
      // The first terminal that the leader of a session opens is the session's.
      let terminal = open("/dev/pts/\(number)", O_RDWR)
      guard terminal >= 0 else { exit(4) }
      guard Terminal.isOwnGroupInForeground else { exit(5) }

      // Another group of this session takes the foreground.
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/cat"), nil]
      var environment: [UnsafeMutablePointer<CChar>?] = [nil]
      var other: pid_t = 0
      guard posix_spawn(&other, "/bin/cat", nil, &attributes, &arguments, &environment) == 0 else {
        exit(6)
      }
      signal(SIGTTOU, SIG_IGN)
      guard tcsetpgrp(terminal, other) == 0 else { exit(7) }
      let isStillInForeground = Terminal.isOwnGroupInForeground
      kill(other, SIGKILL)
      exit(isStillInForeground ? 1 : 0)
    }
  }
}
