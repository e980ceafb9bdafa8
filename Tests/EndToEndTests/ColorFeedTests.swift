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
