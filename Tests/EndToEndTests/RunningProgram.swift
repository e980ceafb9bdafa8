import Glibc
import Synchronization
import Testing

/// How a program ended and all that it wrote.
struct Finished {
  /// The exit status; nil when a signal ended it.
  var status: Int32?
  var signal: Int32?
  var output: String
  var errors: String
}

/// A process that a test started, with its output as it comes.
///
/// Waiting is bounded: a test that waits in vain fails with what the program had written.
final class RunningProgram {
  let process: pid_t
  private var outputEnd: Int32
  private let errorEnd: Int32
  private var output: [UInt8] = []
  private var errors: [UInt8] = []
  private var hasEnded = false

  /// glibc has it since 2.34, and its headers only for GNU sources.
  private static let addCloseFrom: AddCloseFrom? = dlsym(
    nil, "posix_spawn_file_actions_addclosefrom_np"
  ).map { unsafeBitCast($0, to: AddCloseFrom.self) }

  private typealias AddCloseFrom =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32

  /// - Parameters:
  ///   - arguments: the program's absolute path and what follows it.
  ///   - folder: where it runs.
  ///   - terminal: becomes its controlling terminal, with it in the foreground, in place of the pipes.
  init(
    _ arguments: [String], environment: [String: String], in folder: String,
    on terminal: TestTerminal? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }

    // Threads of the test runner block signals, and children inherit the mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession = terminal == nil ? 0 : 0x80  // POSIX_SPAWN_SETSID
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | Int32(newSession)))

    // env(1) changes the folder and becomes the program, which keeps its process number.
    var argv = (["/usr/bin/env", "-C", folder] + arguments).map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }

    var outputPipe: [Int32] = [-1, -1]
    var errorPipe: [Int32] = [-1, -1]
    var child: pid_t = 0
    // Between making a pipe and marking it close-on-exec no other test may start a program: it
    // would hold the pipe open.
    let code = Self.starting.withLock { _ in
      guard pipe(&outputPipe) == 0, pipe(&errorPipe) == 0 else { return errno }
      for descriptor in outputPipe + errorPipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
      if let terminal {
        posix_spawn_file_actions_addopen(&actions, 0, terminal.path, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
      } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, outputPipe[1], 1)
        posix_spawn_file_actions_adddup2(&actions, errorPipe[1], 2)
      }
      // What other tests have open at this moment isn't the program's.
      _ = Self.addCloseFrom?(&actions, 3)
      return posix_spawn(&child, argv[0]!, &actions, &attributes, &argv, &envp)
    }
    close(outputPipe[1])
    close(errorPipe[1])
    if let terminal {
      close(outputPipe[0])
      outputEnd = terminal.takeEnd()
    } else {
      outputEnd = outputPipe[0]
    }
    errorEnd = errorPipe[0]
    process = child
    try #require(code == 0, "cannot start \(arguments[0]): \(String(cString: strerror(code)))")
  }

  private static let starting = Mutex(())

  deinit {
    if !hasEnded {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    if outputEnd >= 0 { close(outputEnd) }
    close(errorEnd)
  }

  /// Types at the terminal; "\u{3}" is Ctrl-C.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(outputEnd, bytes, bytes.count) == bytes.count)
  }

  /// Closes the terminal, as a person closes its window: nothing more is read from it.
  func closeTerminal() {
    close(outputEnd)
    outputEnd = -1
    isAtEnd[0] = true
  }

  func send(_ signal: Int32) {
    kill(process, signal)
  }

  /// Blocks until what the program wrote to standard error, or output, contains `text`, that often.
  func waitFor(_ text: String, times: Int = 1, seconds: Int = 20) throws {
    let deadline = Self.now() + Double(seconds)
    while !has(text, times: times) {
      guard try readMore(until: deadline) else {
        try #require(
          has(text, times: times), "waited for «\(text)», but the program wrote: \(written)")
        return
      }
    }
  }

  /// Blocks until the program has ended and its output is closed.
  func waitForEnd(seconds: Int = 30) throws -> Finished {
    let deadline = Self.now() + Double(seconds)
    while try readMore(until: deadline) {}
    var status: Int32 = 0
    let reaped = waitpid(process, &status, Self.now() < deadline ? 0 : WNOHANG)
    try #require(reaped == process, "the program did not end; it wrote: \(written)")
    hasEnded = true
    let signal = status & 0x7F
    return Finished(
      status: signal == 0 ? (status >> 8) & 0xFF : nil, signal: signal == 0 ? nil : signal,
      output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// What has been read of its standard output.
  var outputSoFar: String { String(decoding: output, as: UTF8.self) }

  private func has(_ text: String, times: Int) -> Bool {
    written.ranges(of: text).count >= times
  }

  private var written: String {
    String(decoding: output, as: UTF8.self) + String(decoding: errors, as: UTF8.self)
  }

  /// Reads what there is, waiting for it; false when both ends are closed or the deadline passed.
  private func readMore(until deadline: Double) throws -> Bool {
    var watched = [outputEnd, errorEnd].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if isAtEnd[0] { watched[0].fd = -1 }
    if isAtEnd[1] { watched[1].fd = -1 }
    guard isAtEnd != [true, true] else { return false }
    let left = Int32(max(0, (deadline - Self.now()) * 1000))
    guard poll(&watched, 2, left) > 0 else { return false }
    for (index, descriptor) in watched.enumerated() where descriptor.revents != 0 {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(descriptor.fd, &buffer, buffer.count)
      if count <= 0 {
        isAtEnd[index] = true
      } else if index == 0 {
        output += buffer[..<count]
      } else {
        errors += buffer[..<count]
      }
    }
    return true
  }

  private var isAtEnd = [false, false]

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
