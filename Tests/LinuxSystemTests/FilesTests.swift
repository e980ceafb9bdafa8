import Glibc
import LinuxSystem
import Testing

@Suite("Files")
struct FilesTests {
  let folder = TemporaryFolder()

  @Test func `an error names the call, the path and the reason`() throws {
    let error = #expect(throws: SystemError.self) { try Files.read("/nowhere/file") }
    #expect(error?.description == "open /nowhere/file: No such file or directory")
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

  @Test func `free space and the machine's name can be read`() throws {
    #expect(try Files.freeBytes(at: folder.path) > 0)
    #expect(!Machine.hostName.isEmpty)
  }

  @Test func `a tail reads what is appended, and goes on at the new end of a file that was cut`()
    throws
  {
    let path = folder.path + "/log"
    let file = try OpenFile(making: path)
    let tail = try FileTail(path)
    try file.write(Array("one two".utf8)[...], at: 0)
    #expect(try tail.next() == Array("one two".utf8))
    #expect(try tail.next() == [])
    try file.truncate(to: 3)
    #expect(try tail.next() == [])
    try file.write(Array(" three".utf8)[...], at: 3)
    #expect(try tail.next() == Array(" three".utf8))
  }
}
