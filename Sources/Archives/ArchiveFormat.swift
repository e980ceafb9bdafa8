/// A form of archive, chosen by how the archive's name ends.
package enum ArchiveFormat: String, CaseIterable, Sendable {
  case tar = ".tar"
  case tarGzip = ".tar.gz"
  case tarXZ = ".tar.xz"
  case tarZstandard = ".tar.zst"
  case zip = ".zip"

  /// The form of an archive of this name; nil for a name that ends otherwise, or has nothing in
  /// front of its ending.
  package init?(ofFileNamed name: String) {
    let format = Self.allCases.first { format in
      name.hasSuffix(format.rawValue) && name.utf8.count > format.rawValue.utf8.count
    }
    guard let format else { return nil }
    self = format
  }

  /// Whether one content can have several names.
  package var keepsHardLinks: Bool { self != .zip }

  /// The name that libarchive has for the layout.
  var layout: String { self == .zip ? "zip" : "pax" }

  /// The name that libarchive has for the compression of the whole.
  var filter: String? {
    switch self {
    case .tar, .zip: nil
    case .tarGzip: "gzip"
    case .tarXZ: "xz"
    case .tarZstandard: "zstd"
    }
  }
}
