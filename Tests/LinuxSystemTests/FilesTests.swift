import Glibc
import LinuxSystem
import Testing

@Suite("Files")
struct FilesTests {
  let folder = TemporaryFolder()

  @Test func `an atomic write replaces the file and leaves nothing beside it`() throws {
    let path = folder.path + "/state"
    try Files.writeAtomically(Array("one".utf8), to: path)
    try Files.writeAtomically(Array("two".utf8), to: path)
    #expect(try Files.text(path) == "two")
    #expect(try Files.list(folder.path) == ["state"])
    #expect(try Files.status(path)?.permissions == 0o600)
  }

  @Test func `an error names the call, the path and the reason`() throws {
    let error = #expect(throws: SystemError.self) { try Files.read("/nowhere/file") }
    #expect(error?.description == "open /nowhere/file: No such file or directory")
  }

  @Test func `a failed atomic write leaves the old file`() throws {
    let path = folder.path + "/state"
    try Files.makeFolders(path)
    #expect(throws: SystemError.self) { try Files.writeAtomically([1], to: path) }
    #expect(try Files.list(folder.path) == ["state"])
  }

  @Test func `folders are made with those above, private, and again without complaint`() throws {
    let path = folder.path + "/a/b/c"
    try Files.makeFolders(path)
    try Files.makeFolders(path)
    #expect(try Files.status(folder.path + "/a")?.permissions == 0o700)
    #expect(Files.isFolder(path))
  }

  @Test func `a file in the way of a folder is an error`() throws {
    try Files.write([], to: folder.path + "/a")
    #expect(throws: SystemError.self) { try Files.makeFolders(folder.path + "/a") }
    #expect(throws: SystemError.self) { try Files.makeFolders(folder.path + "/a/b") }
  }

  @Test func `reads files whose size reads as zero`() throws {
    #expect(try Files.text("/proc/self/stat").hasPrefix("\(getpid()) "))
  }

  @Test func `finds programs on a path and skips what can't be executed`() throws {
    try Files.write([], to: folder.path + "/sh")
    #expect(Files.executable(named: "sh", searching: "\(folder.path)::/bin") == "/bin/sh")
    #expect(Files.executable(named: "sh", searching: folder.path) == nil)
  }

  @Test func `a path that isn't there has no status`() throws {
    #expect(try Files.status(folder.path + "/none") == nil)
    #expect(try Files.status(folder.path)?.kind == .folder)
  }

  @Test func `links, free space and names of the machine can be read`() throws {
    symlink("/bin", folder.path + "/link")
    #expect(try Files.destination(ofLink: folder.path + "/link") == "/bin")
    #expect(try Files.freeBytes(at: folder.path) > 0)
    #expect(Machine.bootIdentifier?.isEmpty == false)
    #expect(!Machine.hostName.isEmpty)
  }
}
