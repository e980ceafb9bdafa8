internal import Glibc
internal import JobModel
internal import SQLiteStore

/// Swift handlers in workers, run by the program `HandlerFixture` that lies beside this one: how many
/// that do nothing in a second, and how long from a submission to a handler's first line.
struct HandlerBenchmark {
  let directory: String
  let jobs: Int

  private static let group = 64

  func run() throws {
    let floor = try StoreBenchmark(directory: directory, jobs: jobs).rawThreeTransactions()
    print("raw SQLite, three transactions a job: \(rate(floor)) jobs/s")
    let taken = try drain()
    print("no-op handlers, 64 outstanding, 2 workers: \(rate(taken)) jobs/s")
    print("no-op handlers, one at a time: \(rate(try oneAtATime())) jobs/s")
    report("submission to first line, warm worker", try launches(suspendAfter: "never"))
    report("the same, suspended worker", try launches(suspendAfter: "1ms"))
  }

  /// Submissions in groups of 64, and a runner that drains them, less a runner with nothing to do.
  private func drain() throws -> Duration {
    let place = try makePlace("drain", "nothing", suspendAfter: "5s")
    let clock = ContinuousClock()
    try finish(start(place, "--drain"))
    let empty = try clock.measure { try finish(start(place, "--drain")) }
    let store = try SQLiteStore(path: "\(place)/state")
    let submitting = clock.measure {
      for first in stride(from: 0, to: jobs, by: Self.group) {
        let keys = first..<min(first + Self.group, jobs)
        _ = store.commit(
          keys.map { .submit(submission("nothing", key: "\($0)")) }, at: now(), headLimit: 0)
      }
    }
    let running = try clock.measure { try finish(start(place, "--drain")) }
    return submitting + running - empty
  }

  /// Each is submitted when the end of the one before has been recorded.
  private func oneAtATime() throws -> Duration {
    let place = try makePlace("single", "nothing", suspendAfter: "5s")
    let runner = try start(place)
    defer {
      kill(runner, SIGTERM)
      try? finish(runner)
    }
    let store = try openStore(of: place)
    let changes = inotify_init1(Int32(IN_CLOEXEC))
    defer { close(changes) }
    guard inotify_add_watch(changes, "\(place)/state/store.db-wal", UInt32(IN_ATTRIB)) >= 0 else {
      throw BenchmarkFailure.runnerDidNotStart
    }
    var events = [UInt8](repeating: 0, count: 4096)
    func runOne(_ number: Int) throws {
      _ = store.commit(
        [.submit(submission("nothing", key: "\(number)"))], at: now(), headLimit: 0)
      while true {
        let job = try store.snapshots(of: [JobIdentifier("com.example.nothing")], headLimit: 1)
        if job.allSatisfy({ $0.pendingCount == 0 && $0.live.isEmpty }) { return }
        guard read(changes, &events, events.count) > 0 else { throw BenchmarkFailure.runDidNotEnd }
      }
    }
    // The first one starts the worker.
    try runOne(0)
    return try ContinuousClock().measure { for number in 1...jobs { try runOne(number) } }
  }

  private func openStore(of place: String) throws -> SQLiteStore {
    for _ in 0..<500 {
      if let store = try? SQLiteStore(path: "\(place)/state") { return store }
      _ = poll(nil, 0, 10)
    }
    throw BenchmarkFailure.runnerDidNotStart
  }

  /// Times from just before a submission to the first line of its handler.
  private func launches(suspendAfter: String) throws -> [Duration] {
    let place = try makePlace("launch-\(suspendAfter)", "stamp", suspendAfter: suspendAfter)
    let runner = try start(place)
    defer {
      kill(runner, SIGTERM)
      try? finish(runner)
    }
    let log = "\(place)/state/output/com.example.stamp"
    let store = try openStore(of: place)
    return try (1...300).compactMap { number in
      // The worker has become idle, and is stopped where it is to be.
      _ = poll(nil, 0, 10)
      let began = monotonic()
      _ = store.commit(
        [.submit(submission("stamp", key: ""))], at: now(), headLimit: 0)
      for _ in 0..<2000 {
        if let line = readLine(of: "\(log)/\(number).log") {
          // The first one starts the worker.
          return number == 1 ? nil : .nanoseconds(line - began)
        }
        _ = poll(nil, 0, 2)
      }
      throw BenchmarkFailure.runDidNotEnd
    }
  }

  private enum BenchmarkFailure: Error { case runnerDidNotStart, runDidNotEnd, runnerFailed }

  private func report(_ what: String, _ times: [Duration]) {
    let sorted = times.sorted()
    let median = sorted[sorted.count / 2].microseconds
    let high = sorted[sorted.count * 99 / 100].microseconds
    print("\(what): p50 \(median) µs, p99 \(high) µs")
  }

  private func rate(_ taken: Duration) -> Int { Int(Double(jobs) / taken.inSeconds) }

  private func submission(_ name: String, key: String) -> Submission {
    var submission = Submission(
      identifier: JobIdentifier("com.example.\(name)"), kind: .processing, submittedAt: now())
    submission.key = key
    return submission
  }

  private func makePlace(
    _ name: String, _ handler: String, suspendAfter: String
  ) throws -> String {
    let place = "\(directory)/\(name)"
    mkdir(place, 0o700)
    let manifest = """
      version: 1
      concurrency: {total: 2}
      lifecycle: {suspendAfter: \(suspendAfter)}
      jobs:
        - identifier: com.example.\(handler)
          kind: processing
          maxRunning: 2
          output: {keep: 1000}

      """
    guard let file = fopen("\(place)/jobs.yaml", "w") else {
      throw BenchmarkFailure.runnerDidNotStart
    }
    fputs(manifest, file)
    fclose(file)
    return place
  }

  private func start(_ place: String, _ option: String? = nil) throws -> pid_t {
    let own = CommandLine.arguments[0]
    let folder = own.lastIndex(of: "/").map { own[...$0] } ?? "./"
    let arguments =
      ["\(folder)HandlerFixture", "run", "\(place)/jobs.yaml", "--state", "\(place)/state"]
      + (option.map { [$0] } ?? [])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var argv = arguments.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var process: pid_t = 0
    guard posix_spawn(&process, argv[0]!, &actions, nil, &argv, environ) == 0 else {
      throw BenchmarkFailure.runnerDidNotStart
    }
    return process
  }

  private func finish(_ process: pid_t) throws {
    var status: Int32 = 0
    waitpid(process, &status, 0)
    guard status == 0 else { throw BenchmarkFailure.runnerFailed }
  }

  private func readLine(of path: String) -> Int64? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 64)
    guard fgets(&bytes, 64, file) != nil else { return nil }
    return Int64(String(decoding: bytes.prefix { $0 > 32 }.map(UInt8.init), as: UTF8.self))
  }

  private func monotonic() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  private func now() -> WallInstant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallInstant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }
}
