/// One file, or standard input, as it was given.
package struct ManifestSource: Sendable {
  /// As the user gave it: diagnostics begin with it.
  package var path: String
  /// Absolute path of the folder against which relative paths in the file resolve.
  package var folder: String
  package var bytes: [UInt8]
  /// What others than root may write, the file or its folder, where root is about to run it.
  package var writableByOthers: String?

  package init(path: String, folder: String, bytes: [UInt8]) {
    self.path = path
    self.folder = folder
    self.bytes = bytes
  }
}
