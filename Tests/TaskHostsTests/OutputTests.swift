import JobModel
import LinuxSystem
import TaskHosts
import Testing

@Suite("Captured output")
struct OutputTests {
  @Test func `DU5: over its limit a log keeps its start and its newest lines, and counts the rest`()
    throws
  {
    let bench = try HostBench()
    bench.launch(1, "i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done") {
      $0.output.maxSize = 4096
    }
    _ = try bench.ending(of: 1)
    let lines = bench.output(of: 1).split(separator: "\n").map(String.init)
    #expect(bench.output(of: 1).utf8.count <= 4096)
    #expect(lines.first == "line 0" && lines.last == "line 2999")
    let mark = try #require(lines.firstIndex { $0.hasPrefix("[bgrun: ") })
    let kept = lines[..<mark] + lines[(mark + 1)...]
    let all = (0..<3000).map { "line \($0)" }
    #expect(Array(lines[..<mark]) == Array(all.prefix(mark)))
    #expect(Array(lines[(mark + 1)...]) == Array(all.suffix(lines.count - mark - 1)))
    let dropped =
      all.reduce(0) { $0 + $1.utf8.count + 1 } - kept.reduce(0) { $0 + $1.utf8.count + 1 }
    #expect(lines[mark] == "[bgrun: \(dropped) bytes of output dropped here]")
  }

  @Test func `DU5: output without line ends is limited as well`() throws {
    let bench = try HostBench()
    bench.launch(1, "head -c 300000 /dev/zero | tr '\\0' x") { $0.output.maxSize = 2000 }
    _ = try bench.ending(of: 1)
    let output = bench.output(of: 1)
    #expect(output.utf8.count <= 2000)
    #expect(output.hasPrefix(String(repeating: "x", count: 500) + "[bgrun: "))
    #expect(output.hasSuffix("xxx"))
  }

  @Test func `DU5: only the newest logs are kept, and those that are being written`() throws {
    let bench = try HostBench()
    bench.launch(1, "echo ready; exec sleep 600")
    try bench.waitForOutput(of: 1, "ready")
    for run in Int64(2)...5 {
      bench.launch(run, "echo \(run)") { $0.output.keep = 2 }
      _ = try bench.ending(of: run)
    }
    #expect(
      try Files.list("\(bench.state.path)/output/com.example.job") == ["1.log", "4.log", "5.log"])
    bench.host?.kill(RunNumber(1))
    _ = try bench.ending(of: 1)
  }

  @Test(arguments: [
    ("", "jobs/com.example.job"), ("plain-1.2_3", "jobs/com.example.job/key=plain-1.2_3"),
    ("../up", "jobs/com.example.job/key=..%2Fup"), ("ä b", "jobs/com.example.job/key=%C3%A4%20b"),
  ])
  func `each key has a folder of its own, kept between runs`(key: String, folder: String) throws {
    let bench = try HostBench()
    for run in Int64(1)...2 {
      bench.launch(run, #"echo x >> "$BGRUN_JOB_DIR/checkpoint""#, key: key)
      _ = try bench.ending(of: run)
    }
    #expect(try Files.text("\(bench.state.path)/\(folder)/checkpoint") == "x\nx\n")
  }

  @Test func `long keys are told apart by a hash`() throws {
    let bench = try HostBench()
    let long = String(repeating: "long/", count: 100)
    for (run, key) in [long + "1", long + "2"].enumerated() {
      bench.launch(Int64(run), "echo x", key: key)
      _ = try bench.ending(of: Int64(run))
    }
    let folders = try Files.list("\(bench.state.path)/jobs/com.example.job")
    #expect(folders.count == 2 && folders.allSatisfy { $0.utf8.count < 200 })
  }
}
