import Glibc
import JobModel
import SQLiteStore

/// Times the store alone: one submission, one claim and one end for each job, each a transaction of
/// its own that is synchronous.
///
///     StoreBenchmark DIRECTORY COUNT
///
/// Prints the seconds that the submissions took, and then the claims and ends, job by job.
@main
struct StoreBenchmark {
  static let job = JobIdentifier("local.benchmark.job")

  static func main() throws {
    guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[2]) else {
      print("usage: StoreBenchmark DIRECTORY COUNT")
      exit(2)
    }
    let store = try SQLiteStore(path: CommandLine.arguments[1])
    let start = WallInstant(seconds: 1_700_000_000)
    let owner = try store.join(host: "benchmark", processID: getpid(), at: start)
    let clock = ContinuousClock()

    var requests: [RequestID] = []
    let submissions = clock.measure {
      for number in 0..<count {
        var submission = Submission(identifier: job, kind: .processing, submittedAt: start)
        submission.key = String(number)
        if case .submitted(let request, _) = commit(.submit(submission), to: store, at: start) {
          requests.append(request)
        }
      }
    }
    var ended = 0
    let runs = clock.measure {
      for request in requests {
        let claim = Claim(request: request, identifier: job, owner: owner.fence, startedAt: start)
        guard case .claimed(let run) = commit(.claim(claim), to: store, at: start) else { continue }
        let end = RunEnd(
          run: run, owner: owner.fence, endedAt: start, outcome: .succeeded, next: .final)
        if commit(.end(end), to: store, at: start) != nil { ended += 1 }
      }
    }
    try store.leave(owner)
    guard ended == count else {
      print("StoreBenchmark: \(ended) of \(count) jobs were run")
      exit(1)
    }
    print(submissions.inSeconds, runs.inSeconds)
  }

  static func commit(
    _ transition: Transition, to store: SQLiteStore, at now: WallInstant
  ) -> Verdict.Applied? {
    let report = store.commit([transition], at: now, headLimit: 1)
    guard case .applied(let applied)? = report.verdicts.first else { return nil }
    return applied
  }
}
