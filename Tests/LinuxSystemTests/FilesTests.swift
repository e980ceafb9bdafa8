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

  @Test(arguments: [0, 1, 4096, 65_536, 300_001])
  func `reads all bytes of a file`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 3) }
    try Files.write(bytes, to: folder.path + "/a")
    #expect(try Files.read(folder.path + "/a") == bytes)
  }

  @Test(arguments: [0, 3, 200])
  func `reads many files in order, and tells of each that is missing`(count: Int) throws {
    let paths = (0..<count).map { "\(folder.path)/\($0)" }
    for (number, path) in paths.enumerated() where number % 100 != 99 {
      try Files.write([UInt8(number)], to: path)
    }
    let contents = Files.read(paths)
    #expect(contents.count == count)
    for (number, content) in contents.enumerated() {
      #expect((try? content.get()) == (number % 100 == 99 ? nil : [UInt8(number)]))
    }
  }

  @Test func `a thread gives the value of its body to who waits`() {
    let wait = JoinedThread.start { (1...100).reduce(0, +) }
    #expect(wait() == 5050)
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
