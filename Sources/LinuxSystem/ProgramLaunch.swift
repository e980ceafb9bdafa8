internal import CLinux
internal import Glibc

/// A program to start: nothing of it is ever split, expanded or looked up.
package struct ProgramLaunch: Hashable, Sendable {
  /// The path of the executable file.
  package var program: String
  /// What the program sees as its arguments, its name first.
  package var arguments: [String]
  /// The whole environment.
  package var environment: [String: String]
  /// The folder it starts in.
  package var workingFolder: String
  /// Added to the runner's own niceness.
  package var niceness: Int32
  /// Whether its reads and writes wait for everybody else's.
  package var hasIdleInputOutput: Bool

  package init(
    program: String, arguments: [String], environment: [String: String], workingFolder: String,
    niceness: Int32 = 0, hasIdleInputOutput: Bool = false
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.workingFolder = workingFolder
    self.niceness = niceness
    self.hasIdleInputOutput = hasIdleInputOutput
  }

  /// The order as the keeper reads it (keeper.h), in a file in memory, so that it has no size
  /// limit of its own.
  func order(group: String) throws(SystemError) -> Descriptor {
    let strings =
      [program, workingFolder] + arguments
      + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    // A NUL would shift every string behind it.
    guard !strings.contains(where: { $0.utf8.contains(0) }) else {
      throw SystemError("execve", program, code: EINVAL)
    }
    let pointers =
      (arguments.count + environment.count + 2) * MemoryLayout<UInt>.size
    let size =
      MemoryLayout<bgrun_order>.size + pointers + strings.reduce(0) { $0 + $1.utf8.count + 1 }

    var header = bgrun_order()
    header.size = UInt32(clamping: size)
    header.argument_count = UInt32(clamping: arguments.count)
    header.environment_count = UInt32(clamping: environment.count)
    header.niceness = niceness
    header.idle_input_output = hasIdleInputOutput ? 1 : 0
    unsafe withUnsafeMutableBytes(of: &header.group) { room in
      // One byte is left for the NUL.
      for (index, byte) in group.utf8.prefix(room.count - 1).enumerated() {
        unsafe room[index] = byte
      }
    }

    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    unsafe withUnsafeBytes(of: header) { unsafe bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: repeatElement(0, count: pointers))
    for string in strings {
      bytes.append(contentsOf: string.utf8)
      bytes.append(0)
    }
    return Descriptor(
      owning: try checkNegated(unsafe bgrun_order_file(bytes, bytes.count), "memfd_create"))
  }
}
