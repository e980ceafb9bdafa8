internal import Glibc

/// The measurements that need the package's own modules; `make bench` runs them beside their floors.
@main struct Benchmarks {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard arguments.first == "store", let directory = arguments.dropFirst().first else {
      print("usage: bgrun-bench store DIRECTORY [JOBS]   (DIRECTORY is on the disk to measure)")
      exit(2)
    }
    let jobs = arguments.dropFirst(2).first.flatMap { Int($0) } ?? 2000
    try StoreBenchmark(directory: directory, jobs: jobs).run()
  }
}
