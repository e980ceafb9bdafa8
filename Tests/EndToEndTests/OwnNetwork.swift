import Foundation
import Testing

/// A network of its own for a program that a test starts, changed from outside with `ip`.
enum OwnNetwork {
  private static let unshare = "/usr/bin/unshare"
  private static let enter = "/usr/bin/nsenter"
  private static let ip = ["/usr/sbin/ip", "/sbin/ip"].first(
    where: FileManager.default.isExecutableFile)

  /// Whether this process may make one, and the programs are here.
  static let isPossible =
    geteuid() == 0 && ip != nil
    && [unshare, enter].allSatisfy(FileManager.default.isExecutableFile)

  /// What to start a program behind; it keeps its process number.
  static let prefix = [unshare, "--net"]

  /// Runs `ip` with these words in the network of a program.
  static func ip(_ words: String, in program: RunningProgram, at folder: String) throws {
    let ip = try #require(Self.ip)
    let finished = try RunningProgram(
      [enter, "--target", "\(program.process)", "--net", ip]
        + words.split(separator: " ").map(String.init), environment: [:], in: folder
    ).waitForEnd()
    try #require(finished.status == 0, "ip \(words): \(finished.errors)")
  }
}
