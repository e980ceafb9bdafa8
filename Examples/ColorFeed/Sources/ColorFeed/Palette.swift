import Foundation

/// Some colours that go together.
struct Palette: Codable, Hashable, Sendable {
  var name: String
  /// As `#rrggbb`.
  var colors: [String]
}

/// Why something of the app failed, in one sentence.
struct ColorFeedError: Error, CustomStringConvertible {
  var description: String
}

/// Where the app keeps what it has: `$COLORFEED_FOLDER`, else `colorfeed` in the current folder.
enum DataFolder {
  static func make() throws -> URL {
    let path = ProcessInfo.processInfo.environment["COLORFEED_FOLDER"] ?? "colorfeed"
    let folder = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
