import JobManifest
import LinuxSystem

/// Parameters that name places of the machine: `validate` looks whether those are there.
protocol NamesPlaces {
  static var places: [NamedPlace] { get }
}

/// A path among a job's parameters; a relative one begins at the folder of the manifest.
struct ManifestPath: Decodable, Sendable {
  private let written: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    written = try container.decode(String.self)
    if written.isEmpty || written.utf8.contains(0) {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a path can't be empty or hold a zero byte")
    }
  }

  /// The part behind the last slash.
  var name: String { Files.name(of: written) }

  /// The absolute path.
  func resolved(from folder: String) -> String {
    written.hasPrefix("/") ? written : "\(folder)/\(written)"
  }
}
