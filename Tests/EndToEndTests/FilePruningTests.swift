import Foundation
import Glibc
import Testing

/// The built-in handler files.prune, run by the stock program.
@Suite("files.prune")
struct FilePruningTests {
  /// A folder `files` with four files of ages 40, 20, 10 and 0 days, the last one the largest.
  private func place(with parameters: String) throws -> Workplace {
    let place = try Workplace(
      "  - {identifier: com.example.prune, kind: processing, handler: files.prune, with: \(parameters)}\n"
    )
    try place.write("files/first", "1")
    try place.write("files/folder/second", "22")
    try place.write("files/third", "333")
    try place.write("files/fourth", String(repeating: "4", count: 2000))
    try age("files/first", days: 40, in: place)
    try age("files/folder/second", days: 20, in: place)
    try age("files/third", days: 10, in: place)
    return place
  }

  private func age(_ name: String, days: Double, in place: Workplace) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -days * 86_400)],
      ofItemAtPath: "\(place.folder)/\(name)")
  }

  private func run(in place: Workplace) throws -> (row: [String: any Sendable], log: String) {
    let finished = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.prune")
    let row = try #require(try place.history("com.example.prune").first, "\(finished.errors)")
    return (row, try place.bgrun("logs", "com.example.prune").output)
  }

  private func left(in place: Workplace) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: "\(place.folder)/files"))
  }

  @Test(
    arguments: [
      ("olderThan: 15d", ["third", "fourth"]),
      ("largerThan: 1kB", ["first", "folder", "folder/second", "third"]),
      ("olderThan: 5d, largerThan: 1B", ["first", "fourth"]),
      ("olderThan: 5d, keep: 3", ["folder", "folder/second", "third", "fourth"]),
      ("keep: 1", ["fourth"]),
      ("keep: 100", ["first", "folder", "folder/second", "third", "fourth"]),
    ] as [(String, Set<String>)])
  func `removes the files that meet every condition, and what that empties`(
    conditions: String, remaining: Set<String>
  ) throws {
    let place = try place(with: "{path: files, \(conditions)}")
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(try left(in: place) == remaining)
  }

  @Test func `names what it removed, the oldest first, and tells its progress`() throws {
    let (row, log) = try run(in: try place(with: "{path: files, olderThan: 15d}"))
    #expect(
      log == """
        removed first
        removed folder/second
        removed folder/
        removed 2 files of 3 bytes

        """)
    #expect(row["progress"] as? Double == 1)
  }

  @Test func `a dry run names the same files and removes none`() throws {
    let place = try place(with: "{path: files, olderThan: 15d, dryRun: true}")
    let before = try left(in: place)
    let (_, log) = try run(in: place)
    #expect(
      log == """
        would remove first
        would remove folder/second
        would remove 2 files of 3 bytes

        """)
    #expect(try left(in: place) == before)
  }

  @Test func `a link that leads out of the folder is neither followed nor removed`() throws {
    let place = try place(with: "{path: files, olderThan: 0s}")
    try place.write("outside/precious", "keep me")
    try age("outside/precious", days: 400, in: place)
    for (link, target) in [
      ("files/folder/out", "../../outside"), ("files/file", "../outside/precious"),
    ] {
      try #require(symlink(target, "\(place.folder)/\(link)") == 0)
    }
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(place.read("outside/precious") == "keep me")
    #expect(try left(in: place) == ["folder", "folder/out", "file"])
  }

  @Test func `a name that is no UTF-8 is a name like any other`() throws {
    let place = try place(with: "{path: files, keep: 0}")
    let name = Array("\(place.folder)/files/x".utf8CString.dropLast()) + [-1, 0]
    let file = try #require(fopen(name, "w"))
    fclose(file)
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(try left(in: place) == [])
  }

  @Test(arguments: [
    ("nowhere", "No such file or directory"), ("files/first", "Not a directory"),
  ])
  func `a path that is no folder fails the run with a sentence`(
    path: String, reason: String
  ) throws {
    let place = try place(with: "{path: \(path), keep: 1}")
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "failed")
    #expect(row["reason"] as? String == "handlerThrew")
    #expect(row["detail"] as? String == "cannot prune \(place.folder)/\(path): \(reason)")
  }

  @Test func `validate looks whether the folder is there, and a comment allows that it isn't`()
    throws
  {
    let place = try place(with: "{path: flies, keep: 1}")
    let refused = try place.bgrun("validate", "bgrun.yaml")
    #expect(refused.status == 1)
    #expect(
      refused.output.contains(
        "bgrun.yaml:3:90: error: there is no folder 'flies' [missing-resource]\n"))
    #expect(
      refused.output.contains("each run would use '\(place.folder)/flies' and fail\n"))
    let allowed = "# bgrun: ignore-file[missing-resource] made at the first start\n"
    try place.write("bgrun.yaml", allowed + (place.read("bgrun.yaml") ?? ""))
    #expect(try place.bgrun("validate", "--strict", "bgrun.yaml").status == 0)
    try place.write("flies/one", "")
    #expect(try place.bgrun("validate", "--strict", "bgrun.yaml").status == 0)
  }

  @Test(arguments: [
    ("{keep: 1}", "with.path is missing"),
    ("{path: files}", "one of olderThan, largerThan and keep has to say which files"),
    ("{path: '', keep: 1}", "a path can't be empty"),
    ("{path: files, olderthan: 1d, keep: 1}", "with.olderthan: there is no such parameter"),
    ("{path: files, olderThan: 30}", "with.olderThan must be text"),
    ("{path: files, olderThan: 1w}", "'w' isn't a unit of time"),
    ("{path: files, largerThan: 10M}", "did you mean '10MiB'?"),
    ("{path: files, keep: -1}", "a number of files can't be negative"),
  ])
  func `validate refuses parameters that don't fit`(parameters: String, sentence: String) throws {
    let refused = try place(with: parameters).bgrun("validate", "bgrun.yaml")
    #expect(refused.status == 1)
    #expect(refused.output.contains(sentence))
    #expect(refused.output.contains("[wrong-parameter]"))
  }
}
