import BGRun
import FoundationEssentials
import Glibc

/// A program with a handler for everything that a handler can do to its run, for the end-to-end
/// tests.
@main
struct HandlerFixture: BackgroundApp {
  func register(in app: HandlerRegistry) {
    registerEnds(in: app)
    registerExpirations(in: app)
    registerDeeds(in: app)
    registerFaults(in: app)
    registerBackgroundWork(in: app)
    registerMeasured(in: app)
  }

  /// Handlers for measuring.
  private func registerMeasured(in app: HandlerRegistry) {
    app.handle("com.example.nothing") { _ in }
    // The instant of the first line.
    app.handle("com.example.stamp") { _ in print(nanoseconds(of: CLOCK_MONOTONIC)) }
    app.handle("com.example.flip") { _ in print(nanoseconds(of: CLOCK_REALTIME)) }
    // How late the warning is.
    app.handle("com.example.warned") { context in
      let start = nanoseconds(of: CLOCK_MONOTONIC)
      guard let remaining = context.remainingTime else { return }
      await waitForCancellation()
      print((.nanoseconds(nanoseconds(of: CLOCK_MONOTONIC) - start) - remaining) / .nanoseconds(1))
    }
    // When the warning was due, for one that has to be killed.
    app.handle("com.example.killed") { context in
      let start = nanoseconds(of: CLOCK_REALTIME)
      guard let remaining = context.remainingTime else { return }
      print(start + Int64(remaining / .nanoseconds(1)))
      while true { pause() }
    }
  }

  private func registerEnds(in app: HandlerRegistry) {
    app.handle("com.example.succeeding") { _ in print("done") }
    app.handle("com.example.throwing") { _ in throw Refusal(text: "the feed is empty") }
    app.handle("com.example.crashing") { context in
      print("about to crash")
      let none: [Int] = []
      print(none[context.attempt])
    }
    app.handle("com.example.exiting") { _ in exit(0) }
    app.handle("com.example.failing") { _ in exit(3) }
  }

  private func registerExpirations(in app: HandlerRegistry) {
    app.handle("com.example.cancellable") { context in
      print("waiting")
      await waitForCancellation()
      context.logger.info("cancelled for \(context.expirationReason?.rawValue ?? "nothing")")
      throw CancellationError()
    }
    app.handle("com.example.tidy") { _ in
      print("waiting")
      await waitForCancellation()
      print("tidied up")
    }
    // A file for each step, which a test sees without the runner.
    app.handle("com.example.marking") { _ in
      try Data().write(to: URL(filePath: "begun"))
      await waitForCancellation()
      try Data().write(to: URL(filePath: "warned"))
      throw CancellationError()
    }
    app.handle("com.example.computing") { _ in
      print("computing")
      // Nothing in between lets another task or message in.
      while !Task.isCancelled {}
      print("noticed")
    }
    app.handle("com.example.keeping") { context in try await keepThread(context.key) }
    app.handle("com.example.stubborn") { _ in
      print("ignoring")
      while true { pause() }
    }
  }

  private func registerDeeds(in app: HandlerRegistry) {
    app.handle("com.example.telling") { context in
      print("identifier \(context.identifier) key \(context.key) attempt \(context.attempt)")
      print("limit \(context.remainingTime.map { $0 > .seconds(1) } ?? false)")
      print(
        "deadline after schedule \(context.deadline.map { $0 > context.scheduledFor } ?? false)")
      print("worker \(getpid())")
    }
    app.handle("com.example.nice") { _ in
      print("begins at \(niceness())")
      await Task {}.value
      print("goes on at \(niceness())")
      await Task(priority: .high) { print("hurries at \(niceness())") }.value
    }
    app.handle("com.example.parameters", parameters: Palette.self) { context in
      print("\(context.parameters.colors.joined(separator: "+")) x\(context.parameters.count)")
    }
    app.handle("com.example.checkpoint") { context in
      let done = try context.checkpoint.load(Int.self) ?? 0
      print("starts at \(done)")
      try context.checkpoint.save(done + 1)
      if done < 2 { exit(1) }
    }
    app.handle("com.example.progressing") { context in
      context.progress.update(title: "Exporting", subtitle: "page 1")
      for page in 1...4 { context.progress.update(completed: page, of: 4) }
    }
    app.handle("com.example.watched") { context in
      context.progress.update(title: "Exporting palettes", subtitle: "page 1")
      context.progress.update(completed: 1, of: 4)
      await waitForCancellation()
      throw CancellationError()
    }
    app.handle("com.example.leaving") { _ in
      // A child in a session of its own, whose parent ends at once.
      try spawn("/bin/sh", "-c", "setsid sleep 4242 & :")
      print("left a child")
    }
    app.handle("com.example.breeding") { _ in
      try spawn("/bin/sh", "-c", "setsid sleep 4343 & sleep 4343 & :")
      print("ignoring")
      while true { pause() }
    }
    // One line for each start, in the file that the test names.
    app.handle("com.example.recording") { context in
      guard let path = getenv("FIXTURE_RECORD"), let file = fopen(path, "a") else { exit(1) }
      fputs("\(context.key)\n", file)
      fclose(file)
    }
    app.handle("com.example.unfinished") { context in
      print("a line without an end of \(context.key)", terminator: "")
    }
    app.handle("com.example.submitting") { context in
      print("pending \(try await TaskScheduler.shared.pendingRequests().map(\.identifier))")
      do {
        try await TaskScheduler.shared.submit(TaskRequest(identifier: "com.example.telling2"))
      } catch let failure as TaskScheduler.SubmissionFailure {
        print("\(failure.code): \(failure)")
      }
      var request = TaskRequest(identifier: "com.example.telling", key: "submitted")
      request.earliestBeginDate = context.scheduledFor.addingTimeInterval(3600)
      try await TaskScheduler.shared.submit(request)
      print("pending \(try await TaskScheduler.shared.pendingRequests().map(\.key))")
      print("cancelled \(try await TaskScheduler.shared.cancelAll())")
      try await TaskScheduler.shared.submit(TaskRequest(identifier: "com.example.succeeding"))
    }
    app.handle("com.example.export.pages") { context in print("exports \(context.identifier)") }
  }

  private func registerFaults(in app: HandlerRegistry) {
    app.handle("com.example.garbling") { _ in
      for descriptor in Int32(3)..<64 {
        send(descriptor, "nonsense", 8, Int32(MSG_NOSIGNAL))
      }
      await waitForCancellation()
    }
    app.handle("com.example.closing") { _ in
      for descriptor in Int32(3)..<64 { shutdown(descriptor, Int32(SHUT_RDWR)) }
      await waitForCancellation()
    }
    app.handle("com.example.late") { _ in
      app.handle("com.example.needed") { _ in }
      print("a continued one may come late")
      app.handle("com.example.forgotten") { _ in }
    }
    // What a test asks for by a variable, since a program can't start correctly with it.
    switch getenv("FIXTURE_FAULT").map({ String(cString: $0) }) {
    case "silent" where CommandLine.arguments.contains("--bgrun-worker"):
      while true { pause() }
    case "twice": app.handle("com.example.succeeding") { _ in }
    default: break
    }
  }
}

extension HandlerFixture {
  var body: some Scene {
    Handlers()
      .backgroundTask(.appRefresh("com.example.declared")) { print("refreshed") }
      .backgroundTask(.appRefresh("com.example.declared-failing")) {
        throw Refusal(text: "no feed")
      }
  }
}

struct Palette: Decodable {
  var colors: [String]
  var count: Int
}

struct Refusal: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

/// Suspends until the Swift task is cancelled, without a timer.
func waitForCancellation() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in stream {}
  withExtendedLifetime(continuation) {}
}

/// Keeps the thread that the handler began on until a thread gives the warning, and names both: it is
/// the one that has read it.
private func keepThread(_ key: String) async throws {
  let beginning = pthread_self()
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { throw Refusal(text: "no pipe") }
  let (end, warnedEnd) = (ends[0], ends[1])
  try await withTaskCancellationHandler {
    try Data().write(to: URL(filePath: "begun-\(key)"))
    var warning: pthread_t = 0
    guard read(end, &warning, MemoryLayout<pthread_t>.size) > 0 else {
      throw Refusal(text: "nothing in the pipe")
    }
    print("\(beginning) \(warning)")
  } onCancel: {
    var warning = pthread_self()
    write(warnedEnd, &warning, MemoryLayout<pthread_t>.size)
  }
}

func nanoseconds(of clock: clockid_t) -> Int64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

func spawn(_ arguments: String...) throws {
  var argv = arguments.map { strdup($0) } + [nil]
  defer { argv.forEach { free($0) } }
  var process: pid_t = 0
  guard posix_spawn(&process, argv[0]!, nil, nil, &argv, nil) == 0 else {
    throw Refusal(text: "can't start \(arguments[0])")
  }
  waitpid(process, nil, 0)
}

/// The calling thread's.
private func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
