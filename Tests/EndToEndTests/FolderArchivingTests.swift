import Foundation
import Glibc
import Testing

/// The built-in handler files.archive, run by the stock program; what it wrote is read by bsdtar, tar
/// and unzip.
@Suite("files.archive")
struct FolderArchivingTests {
  private static let identifier = "com.example.archive"

  /// A folder `files` with two files, one of them empty, and a link.
  private func place(
    output: String, path: String = "files", limit: String? = nil
  ) throws -> Workplace {
    let kind = limit == nil ? "continuedProcessing" : "processing"
    let last = limit.map { "timeLimit: \($0)" } ?? "title: Archiving"
    let place = try Workplace(
      """
        - identifier: \(Self.identifier)
          kind: \(kind)
          handler: files.archive
          with: {path: \(path), output: \(output)}
          \(last)

      """)
    try place.write("files/letter", "Dear reader\n")
    try place.write("files/folder/größe", "")
    try place.write("outside/secret", "not for the archive")
    try link("files/folder/out", to: "../../outside", in: place)
    try FileManager.default.createDirectory(
      atPath: "\(place.folder)/archives", withIntermediateDirectories: true)
    return place
  }

  private func link(_ name: String, to target: String, in place: Workplace) throws {
    try #require(symlink(target, "\(place.folder)/\(name)") == 0)
  }

  private func run(
    in place: Workplace, behind prefix: [String] = []
  ) throws -> (row: [String: any Sendable], log: String) {
    let finished = try place.start(
      ["run", "bgrun.yaml", "--once", "--now", Self.identifier], behind: prefix
    ).waitForEnd(seconds: 60)
    let row = try #require(try place.history(Self.identifier).first, "\(finished.errors)")
    return (row, try place.bgrun("logs", Self.identifier).output)
  }

  /// What another program prints.
  private func output(of command: String..., in place: Workplace) throws -> String {
    let finished = try RunningProgram(
      command, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], in: place.folder
    ).waitForEnd()
    try #require(finished.status == 0, "\(command): \(finished.errors)")
    return finished.output
  }

  private func names(in archive: String, _ place: Workplace) throws -> [String] {
    try output(of: "bsdtar", "-tf", archive, in: place).split(separator: "\n").map(String.init)
  }

  private func content(of folder: String, in place: Workplace) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/\(folder)").sorted()
  }

  @Test(arguments: [
    ("archives/a.tar", "POSIX pax"), ("archives/a.tar.gz", "gzip"), ("archives/a.tar.xz", "xz"),
    ("archives/a.tar.zst", "zstd"), ("archives/a.zip", "ZIP"),
  ])
  func `the form follows from how the output's name ends`(output: String, form: String) throws {
    let place = try place(output: output)
    let (row, log) = try run(in: place)
    #expect(row["outcome"] as? String == "succeeded", "\(log)")
    #expect(row["progress"] as? Double == 1)
    #expect(
      try names(in: output, place) == [
        "files/", "files/folder/", "files/folder/größe", "files/folder/out", "files/letter",
      ])
    let start = try #require(FileManager.default.contents(atPath: "\(place.folder)/\(output)"))
    let magic: [String: [UInt8]] = [
      "gzip": [0x1F, 0x8B], "xz": [0xFD, 0x37], "zstd": [0x28, 0xB5], "ZIP": [0x50, 0x4B],
      "POSIX pax": Array("fi".utf8),
    ]
    #expect(Array(start.prefix(2)) == magic[form] || form == "POSIX pax")
    _ = try self.output(of: "mkdir", "back", in: place)
    _ = try self.output(of: "bsdtar", "-xf", output, "-C", "back", in: place)
    #expect(place.read("back/files/letter") == "Dear reader\n")
    let link = "\(place.folder)/back/files/folder/out"
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../../outside")
    #expect(try content(of: "archives", in: place) == [String(output.dropFirst(9))])
  }

  @Test func `GNU tar and unzip read it without a complaint`() throws {
    let tar = try place(output: "archives/a.tar.gz")
    _ = try run(in: tar)
    let listed = try RunningProgram(
      ["tar", "--list", "--verbose", "--gzip", "--file", "archives/a.tar.gz"],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], in: tar.folder
    ).waitForEnd()
    #expect(listed.status == 0)
    #expect(listed.errors == "")
    #expect(listed.output.contains("files/folder/out -> ../../outside\n"))

    let zip = try place(output: "archives/a.zip")
    _ = try run(in: zip)
    #expect(
      try output(of: "unzip", "-t", "archives/a.zip", in: zip).contains("No errors detected"))
  }

  @Test func `a file of many parts comes back byte for byte, with its time and permissions`() throws
  {
    let place = try place(output: "archives/a.tar.zst")
    // More than the parts in which it is read, and no multiple of them.
    let bytes = Data((0..<3_000_017).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
    let file = "\(place.folder)/files/recording"
    try bytes.write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1_234_567_890)],
      ofItemAtPath: file)
    let (_, log) = try run(in: place)
    #expect(log.contains("3 files, 2 folders, 1 link, 3000029 bytes read, "))
    _ = try output(of: "bsdtar", "-xpf", "archives/a.tar.zst", "-C", "archives", in: place)
    let back = "\(place.folder)/archives/files/recording"
    #expect(FileManager.default.contents(atPath: back) == bytes)
    let attributes = try FileManager.default.attributesOfItem(atPath: back)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_234_567_890))
  }

  @Test(arguments: [
    ("archives/a.tar", "link to files/folder/first"), ("archives/a.zip", "files/folder/first\n"),
  ])
  func `a file with two names is stored once where the form can say so`(
    output: String, listed: String
  ) throws {
    let place = try place(output: output)
    try place.write("files/folder/first", "shared")
    try #require(
      Glibc.link("\(place.folder)/files/folder/first", "\(place.folder)/files/second") == 0)
    _ = try run(in: place)
    #expect(try self.output(of: "bsdtar", "-tvf", output, in: place).contains(listed))
    _ = try self.output(of: "bsdtar", "-xf", output, "-C", "archives", in: place)
    #expect(place.read("archives/files/second") == "shared")
  }

  @Test func `what has no content is left out and said`() throws {
    let place = try place(output: "archives/a.tar")
    try #require(mkfifo("\(place.folder)/files/pipe", 0o600) == 0)
    _ = try output(
      of: "python3", "-c",
      "import socket; socket.socket(socket.AF_UNIX).bind('files/socket')", in: place)
    let (row, log) = try run(in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(log.contains("left out pipe: it is a pipe\nleft out socket: it is a socket\n"))
    #expect(log.contains("2 files, 2 folders, 1 link, 2 left out, "))
    #expect(!(try names(in: "archives/a.tar", place).contains("files/pipe")))
  }

  @Test func `a name that is no UTF-8 is stored as it is`() throws {
    let place = try place(output: "archives/a.tar")
    let name = Array("\(place.folder)/files/x".utf8CString.dropLast()) + [-1, 0]
    let file = try #require(fopen(name, "w"))
    fclose(file)
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(try names(in: "archives/a.tar", place).contains("files/x\\377"))
  }

  @Test func `an archive inside the folder isn't archived into itself, nor into the next one`()
    throws
  {
    let place = try place(output: "files/a.tar")
    for said in [false, true] {
      let (row, log) = try run(in: place)
      #expect(row["outcome"] as? String == "succeeded")
      #expect(log.contains("left out a.tar: it is the archive itself") == said)
      #expect(!(try names(in: "files/a.tar", place).contains { $0.contains("a.tar") }))
    }
    #expect(try content(of: "files", in: place) == ["a.tar", "folder", "letter"])
  }

  @Test func `a file that may not be read fails the run, and the former archive stays`() throws {
    let place = try place(output: "archives/a.tar")
    try place.write("archives/a.tar", "the former one")
    for name in ["files/letter", "files/folder/größe"] {
      try #require(chmod("\(place.folder)/\(name)", 0) == 0)
    }
    // Whoever is root reads everything unless it is taken from them.
    let prefix =
      geteuid() == 0
      ? ["/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search"] : []
    let (row, log) = try run(in: place, behind: prefix)
    #expect(row["outcome"] as? String == "failed")
    #expect(row["reason"] as? String == "handlerThrew")
    #expect(
      row["detail"] as? String
        == "2 places below \(place.folder)/files can't be read, so nothing was archived; "
        + "the log names them")
    #expect(log.contains("\(place.folder)/files/letter: Permission denied"))
    #expect(log.contains("\(place.folder)/files/folder/größe: Permission denied"))
    #expect(place.read("archives/a.tar") == "the former one")
    #expect(try content(of: "archives", in: place) == ["a.tar"])
  }

  @Test(arguments: [
    ("nowhere", "archives/a.tar", "cannot archive FOLDER/nowhere: No such file or directory"),
    ("files/letter", "archives/a.tar", "cannot archive FOLDER/files/letter: Not a directory"),
    ("files", "none/a.tar", "cannot write FOLDER/none/a.tar: there is no folder FOLDER/none"),
    ("files", "folder.tar", "cannot write FOLDER/folder.tar: it is a folder"),
  ])
  func `a path or an output that can't be used fails the run with a sentence`(
    path: String, output: String, sentence: String
  ) throws {
    let place = try place(output: output, path: path)
    try place.write("folder.tar/file", "")
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "failed")
    #expect(row["detail"] as? String == sentence.replacing("FOLDER", with: place.folder))
  }

  @Test func `CP5: cancelling midway leaves the former archive and no half one`() throws {
    let place = try place(output: "archives/a.tar.xz")
    try place.write("archives/a.tar.xz", "the former one")
    try fillFile(in: place)
    let runner = try place.startRunner()
    try runner.waitFor("[ready")
    let person = try place.start(["start", Self.identifier])
    try waitForDraft(of: "a.tar.xz", in: place)
    _ = try place.bgrun("cancel", Self.identifier)
    try runner.waitFor("[run-ended")
    #expect(try person.waitForEnd().status == 1)
    runner.send(SIGTERM)
    _ = try runner.waitForEnd()
    let row = try #require(try place.history(Self.identifier).first)
    #expect(row["outcome"] as? String == "cancelled")
    #expect(row["detail"] as? String == nil, "killed, it can't have cleaned up")
    let progress = try #require(row["progress"] as? Double)
    #expect(progress > 0 && progress < 1)
    #expect(place.read("archives/a.tar.xz") == "the former one")
    #expect(try content(of: "archives", in: place) == ["a.tar.xz"])
  }

  @Test func `LC4: at the limit nothing half written is left`() throws {
    let place = try place(output: "archives/a.tar.xz", limit: "1s")
    try fillFile(in: place)
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "expired")
    #expect(try content(of: "archives", in: place) == [])
  }

  @Test func `a draft that a killed run left is taken over by the next one`() throws {
    let place = try place(output: "archives/a.tar")
    try place.write("archives/.a.tar.partial", String(repeating: "x", count: 100_000))
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(try names(in: "archives/a.tar", place).count == 5)
    #expect(try content(of: "archives", in: place) == ["a.tar"])
  }

  @Test func `a second run that writes the same archive meanwhile fails and leaves it alone`()
    throws
  {
    let place = try place(output: "archives/a.tar")
    let draft = "\(place.folder)/archives/.a.tar.partial"
    let descriptor = open(draft, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(descriptor) }
    try #require(flock(descriptor, LOCK_EX) == 0)
    let (row, _) = try run(in: place)
    #expect(
      row["detail"] as? String
        == "cannot write \(place.folder)/archives/a.tar: another run is writing it")
    #expect(try content(of: "archives", in: place) == [".a.tar.partial"])
  }

  @Test(.enabled(if: OwnNetwork.isPossible))
  func `without libarchive the run says which package to install`() throws {
    let place = try place(output: "archives/a.tar")
    try place.write("empty", "")
    let library = try output(
      of: "sh", "-c", "/sbin/ldconfig -p | sed -n 's/.*libarchive.so.13 .*=> //p' | head -n 1",
      in: place
    ).split(separator: "\n").first
    let hidden = "mount --bind empty \(try #require(library)) && exec \"$@\""
    let (row, _) = try run(
      in: place, behind: ["/usr/bin/unshare", "--mount", "sh", "-c", hidden, "sh"])
    #expect(
      row["detail"] as? String
        == "cannot write \(place.folder)/archives/a.tar: the library libarchive isn't installed; "
        + "on Debian and Ubuntu it is the package libarchive13")
    #expect(try content(of: "archives", in: place) == [])
  }

  /// When the archive's disk has no room.
  enum FullDisk: CaseIterable {
    /// While the content is written.
    case fillsUp
    /// From the start: what little there is, is written at the end.
    case isFull
  }

  @Test(
    .enabled(if: OwnNetwork.isPossible),
    arguments: ["a.tar", "a.tar.gz", "a.tar.xz", "a.tar.zst", "a.zip"], FullDisk.allCases)
  func `a full disk fails the run in a sentence and keeps the archive that was there`(
    name: String, disk: FullDisk
  ) throws {
    let place = try place(output: "archives/\(name)")
    if disk == .fillsUp {
      _ = try output(of: "sh", "-c", "head -c 3000000 /dev/urandom >files/recording", in: place)
    }
    let script = """
      mount -t tmpfs -o size=1m none archives && echo old >archives/\(name) || exit 1
      \(disk == .isFull ? "head -c 1100000 /dev/zero >archives/ballast 2>errors" : "")
      "$@"; status=$?
      ls -A archives >listed; cp archives/\(name) kept; exit $status
      """
    let (row, log) = try run(
      in: place, behind: ["/usr/bin/unshare", "--mount", "sh", "-c", script, "sh"])
    #expect(row["outcome"] as? String == "failed")
    #expect(
      row["detail"] as? String
        == "cannot write \(place.folder)/archives/\(name): No space left on device", "\(log)")
    #expect(place.read("listed")?.replacing("ballast\n", with: "") == "\(name)\n")
    #expect(place.read("kept") == "old\n")
  }

  @Test(arguments: [
    ("a.rar", "'a.rar' doesn't end as the name of an archive does"),
    ("archives/.tar.gz", "'.tar.gz' doesn't end as"), ("a.tgz", "'a.tgz' doesn't end as"),
  ])
  func `validate refuses an output that ends otherwise, at its place`(
    output: String, sentence: String
  ) throws {
    let refused = try place(output: output).bgrun("validate", "bgrun.yaml")
    #expect(refused.status == 1)
    #expect(refused.output.contains("bgrun.yaml:6:33: error: "))
    #expect(refused.output.contains(sentence))
    #expect(refused.output.contains(".tar, .tar.gz, .tar.xz, .tar.zst or .zip [wrong-parameter]"))
  }

  /// Random bytes that take longer to compress than any test waits.
  private func fillFile(in place: Workplace) throws {
    _ = try output(of: "sh", "-c", "head -c 64000000 /dev/urandom >files/recording", in: place)
  }

  /// Waits until a run has written part of an archive.
  private func waitForDraft(of name: String, in place: Workplace) throws {
    let draft = "\(place.folder)/archives/.\(name).partial"
    try Workplace.wait(until: {
      let size = try? FileManager.default.attributesOfItem(atPath: draft)[.size] as? Int
      return (size ?? 0) > 0
    })
  }
}
