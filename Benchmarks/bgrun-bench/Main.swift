internal import Glibc

/// The measurements that need the package's own modules; `make bench` runs them beside their floors.
@main struct Benchmarks {
  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.dropFirst().first) {
    case ("simulation", let days):
      try SimulationBenchmark(days: days.flatMap { Int($0) } ?? 365).run()
    case ("engine", let jobs):
      try EngineBenchmark(jobs: jobs.flatMap { Int($0) } ?? 20_000).run()
    case ("store", let directory?):
      let jobs = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 2000
      try StoreBenchmark(directory: directory, jobs: jobs).run()
    case ("handlers", let directory?):
      let jobs = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 5000
      try HandlerBenchmark(directory: directory, jobs: jobs).run()
    case ("backlog", let directory?):
      try BacklogBenchmark(directory: directory).run()
    default:
      print(
        """
        usage: bgrun-bench simulation [DAYS]          the engine alone: a year, wake-ups a day
               bgrun-bench engine [JOBS]            the engine alone: what a short run costs it
               bgrun-bench store DIRECTORY [JOBS]   rates of the store beside raw SQLite
               bgrun-bench handlers DIRECTORY [JOBS]  Swift handlers in workers: rate, latency
               bgrun-bench backlog DIRECTORY        a claim among 1,000 and 1,000,000 pending
        DIRECTORY is an empty folder on the disk to measure.
        """)
      exit(2)
    }
  }
}
