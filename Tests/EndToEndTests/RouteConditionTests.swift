import Glibc
import Testing

/// The built program in a network of its own, in which the test pulls and plugs the cable.
@Suite(
  "The network, as the built program meets it",
  .enabled(if: OwnNetwork.isPossible, "needs root, util-linux and iproute2"))
struct RouteConditionTests {
  @Test func `PL1, PL3: a job waits for a route, and for the cable when it was pulled`() throws {
    let place = try Workplace(
      """
        - identifier: com.example.waiting
          command: [echo, done]
          network: any
          schedule: {every: 7d}
      """)
    let runner = try place.start(
      ["run", "bgrun.yaml", "--log-format", "json"], behind: OwnNetwork.prefix)
    try runner.waitFor("no network (rtnetlink)")
    for words in [
      "link add wire type veth peer name far", "link set far up", "link set wire up",
      "address add 192.0.2.2/24 dev wire", "link set far down",
      "route add default via 192.0.2.1 dev wire",
    ] { try OwnNetwork.ip(words, in: runner, at: place.folder) }
    let why = try place.bgrun("why", "com.example.waiting")
    #expect(why.output.contains("no network (rtnetlink)"))

    try OwnNetwork.ip("link set far up", in: runner, at: place.folder)
    try runner.waitFor("\"outcome\":\"succeeded\"")
    runner.send(SIGTERM)
    #expect(try runner.waitForEnd().status == 0)
  }
}
