import Foundation
import Testing

/// The example, built from its own sources, with its own manifest.
@Suite("The example ColorFeed")
struct ColorFeedTests {
  private static let example = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Examples/ColorFeed")

  private func place() throws -> Workplace {
    let place = try Workplace(program: "ColorFeedExample")
    for (name, copy) in [
      ("jobs/colorfeed.yaml", "bgrun.yaml"), ("palettes.json", "palettes.json"),
    ] {
      try place.write(
        copy, try String(contentsOf: Self.example.appending(path: name), encoding: .utf8))
    }
    return place
  }

  private static func words(of text: Substring) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private func run(
    _ name: String, in place: Workplace, environment: [String: String] = [:]
  ) throws -> [String: any Sendable] {
    _ = try place.bgrun(
      "run", "bgrun.yaml", "--once", "--now", "com.example.colorfeed.\(name)",
      environment: environment)
    return try #require(try place.history("com.example.colorfeed.\(name)").first)
  }

  private func log(_ name: String, in place: Workplace) throws -> String {
    try place.bgrun("logs", "com.example.colorfeed.\(name)").output
  }

  @Test func `its manifest has no findings, its own handlers included`() throws {
    let place = try place()
    let validated = try place.bgrun("validate", "bgrun.yaml", "--strict")
    #expect(validated.status == 0, "\(validated.output)\(validated.errors)")
  }

  @Test func `it refreshes from a file, cleans, and exports an image for each palette`() throws {
    let place = try place()
    #expect(try run("refresh", in: place)["outcome"] as? String == "succeeded")
    #expect(try log("refresh", in: place) == "6 palettes in the feed, 6 of them new\n")
    #expect(try run("db-cleaning", in: place)["outcome"] as? String == "succeeded")
    #expect(try log("db-cleaning", in: place) == "0 old palettes removed, database compacted\n")

    // The refresh had ended before it was written, and the runner waited for it.
    let snapshot = URL(fileURLWithPath: place.folder).appending(path: "colorfeed/snapshot.json")
    let saved = try JSONSerialization.jsonObject(with: Data(contentsOf: snapshot)) as? [Any]
    #expect(saved?.count == 6)

    let export = try run("export.images", in: place)
    #expect(export["outcome"] as? String == "succeeded")
    #expect(export["progress"] as? Double == 1)
    #expect(try log("export.images", in: place).hasPrefix("6 of 6 images in "))
    let image = URL(fileURLWithPath: place.folder).appending(path: "colorfeed/images/Dusk.bmp")
    let bytes = try Data(contentsOf: image)
    #expect(bytes.prefix(2) == Data("BM".utf8))
    #expect(bytes.count == 54 + 4 * 128 * 128 * 5)
  }

  @Test func `it refreshes over HTTP`() throws {
    let place = try place()
    let server = try FeedServer(in: place.folder)
    let feed = ["COLORFEED_FEED": "http://127.0.0.1:\(server.port)/palettes.json"]
    let row = try run("refresh", in: place, environment: feed)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(try log("refresh", in: place) == "6 palettes in the feed, 6 of them new\n")
  }

  @Test(
    .enabled(if: Workplace.isBuilt("ColorFeed"), "the example's own package is built by make test"))
  func `its package does what its README says when it is typed`() throws {
    let place = try Workplace(program: "ColorFeed")
    let folder = "Examples/ColorFeed"
    for name in ["jobs/colorfeed.yaml", "palettes.json"] {
      try place.write(
        "\(folder)/\(name)",
        try String(contentsOf: Self.example.appending(path: name), encoding: .utf8))
    }
    // Where `swift build` there would have put it.
    try place.write("\(folder)/.build/debug/.folder", "")
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.folder)/\(folder)/.build/debug/ColorFeed",
      withDestinationPath: place.program)
    let readme = try String(contentsOf: Self.example.appending(path: "README.md"), encoding: .utf8)
    let session = try #require(readme.split(separator: "```console\n").last)
    let entries = session.prefix(upTo: try #require(session.firstRange(of: "```")?.lowerBound))
      .split(separator: "$ ").map { $0.split(separator: "\n", maxSplits: 1) }
    #expect(entries.map(\.[0]).contains("swift build"))

    let script =
      ["set -e", "exec 2>&1", "shopt -s expand_aliases", "swift() { :; }"]
      + entries.flatMap { ["printf '\\036'", String($0[0])] }
    try place.write("typed", script.joined(separator: "\n") + "\n")
    let typed = try RunningProgram(
      ["/bin/bash", "typed"],
      environment: [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": place.folder, "LANG": "C.UTF-8",
        "BGRUN_STATE": place.state,
      ], in: place.folder
    ).waitForEnd()
    #expect(typed.status == 0, "\(typed.output)\(typed.errors)")
    let outputs = typed.output.split(separator: "\u{1E}", omittingEmptySubsequences: false)
      .dropFirst()
    for (entry, output) in zip(entries, outputs) where entry.count > 1 {
      // On a terminal some programs write in columns.
      let (written, shown) = (Self.words(of: output), Self.words(of: entry[1]))
      #expect(written.contains(shown), "\(entry[0])")
    }
  }

  @Test func `a feed that isn't there fails the refresh in a sentence`() throws {
    let place = try place()
    let server = try FeedServer(in: place.folder)
    let feed = ["COLORFEED_FEED": "http://127.0.0.1:\(server.port)/other.json"]
    let row = try run("refresh", in: place, environment: feed)
    #expect(row["outcome"] as? String == "failed")
    #expect(try log("refresh", in: place).contains("did not answer with 200"))
  }

  @Test func `a feed that never answers is given up at the limit`() throws {
    let place = try place()
    let server = try FeedServer(in: place.folder, isSilent: true)
    let row = try run(
      "refresh", in: place,
      environment: [
        "COLORFEED_FEED": "http://127.0.0.1:\(server.port)/palettes.json",
        "BACKGROUND_TASK_SIMULATE_EXPIRATION": "1",
      ])
    #expect(row["outcome"] as? String == "expired")
    #expect(row["reason"] as? String == "timeLimit")
  }
}

/// A web server on this machine, for files of a folder; or one that accepts and never answers.
private final class FeedServer {
  let port: Int
  private let program: RunningProgram

  init(in folder: String, isSilent: Bool = false) throws {
    let files = """
      import functools, http.server
      handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=".")
      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
      print("port", server.server_port, "ready", flush=True)
      server.serve_forever()
      """
    let silence = """
      import signal, socket
      server = socket.create_server(("127.0.0.1", 0))
      print("port", server.getsockname()[1], "ready", flush=True)
      signal.pause()
      """
    program = try RunningProgram(
      ["python3", "-c", isSilent ? silence : files],
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], in: folder)
    try program.waitFor("ready")
    port = try #require(
      program.outputSoFar.split(separator: " ").dropFirst().first.flatMap { Int($0) })
  }
}
