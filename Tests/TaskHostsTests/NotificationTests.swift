import JobModel
import LinuxSystem
import TaskHosts
import Testing

@Suite("What runs report")
struct NotificationTests {
  /// Sends a datagram to the run's own socket, as sd_notify does.
  private static func notify(_ lines: String) -> String {
    """
    perl -MSocket -e 'socket(S, PF_UNIX, SOCK_DGRAM, 0) or die; $a = $ENV{NOTIFY_SOCKET}; \
    $a =~ s/^@/\\0/; send(S, "\(lines)", 0, pack_sockaddr_un($a)) or die "send: $!"'
    """
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `progress, title, status and more time are told with their run`(
    containment: Keeper.Containment
  ) throws {
    let bench = try HostBench(containment)
    bench.launch(
      5,
      Self.notify(#"X_BGRUN_PROGRESS=3/4\nX_BGRUN_TITLE=Export\nSTATUS=file 3"#) + "; "
        + Self.notify("EXTEND_TIMEOUT_USEC=2000000"))
    #expect(try bench.ending(of: 5).exitStatus == 0)
    let reports = bench.events.compactMap { event in
      if case .progressed(RunNumber(5), let report) = event { report } else { nil }
    }
    #expect(
      reports == [
        ProgressReport(fraction: 0.75, title: "Export", subtitle: "file 3"),
        ProgressReport(extending: .seconds(2)),
      ])
  }

  @Test func `messages of processes that aren't the run's are refused`() throws {
    let bench = try HostBench()
    bench.launch(1, "echo $NOTIFY_SOCKET; exec sleep 600")
    try bench.waitForOutput(of: 1, "\n")
    let address = String(bench.output(of: 1).dropLast())
    let notifier = try #require(ServiceNotifier(environment: ["NOTIFY_SOCKET": address]))
    try notifier.deliver("X_BGRUN_PROGRESS=1/2")
    bench.host?.kill(RunNumber(1))
    _ = try bench.ending(of: 1)
    #expect(!bench.events.contains { if case .progressed = $0 { true } else { false } })
  }

  @Test(arguments: Keeper.Containment.allCases)
  func `PL1: a run over its memory limit is told once`(containment: Keeper.Containment) throws {
    let bench = try HostBench(containment)
    bench.launch(1, #"exec perl -e '$x = "x" x 50_000_000; sleep 600'"#) {
      $0.memoryLimit = 30_000_000
    }
    var bytes: Int64?
    try bench.loop.run(until: {
      for case .exceededMemory(_, let found) in bench.events { bytes = found }
      return bytes != nil
    })
    #expect(try #require(bytes) > 50_000_000)
    bench.host?.kill(RunNumber(1))
    _ = try bench.ending(of: 1)
  }
}
