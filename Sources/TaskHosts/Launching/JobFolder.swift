import JobModel
import LinuxSystem

/// The folder that a job finds in `BGRUN_JOB_DIR`: one for each identifier and key, kept between
/// runs, for its checkpoints and the reason of its warning.
struct JobFolder: Hashable {
  let path: String

  init(stateDirectory: String, identifier: JobIdentifier, key: String) {
    let folder = "\(stateDirectory)/jobs/\(identifier.text)"
    path = key.isEmpty ? folder : "\(folder)/\(Self.folderName(ofKey: key))"
  }

  /// Makes the folder and takes away the reason of an earlier run.
  func prepare() throws(SystemError) {
    try Files.makeFolders(path)
    try Files.remove(reasonPath)
  }

  /// Puts the reason where the job reads it, before the signal arrives (LC4).
  func write(_ reason: Reason) throws(SystemError) {
    try Files.write(Array("\(reason.rawValue)\n".utf8), to: reasonPath)
  }

  private var reasonPath: String { "\(path)/reason" }

  /// A key as the name of a folder: `key=` first, so that it meets no file of the job without a
  /// key; then letters, digits, `.`, `_` and `-` as they are and every other byte as %XX. Long ones
  /// are cut and told apart by a hash.
  static func folderName(ofKey key: String) -> String {
    var name = "key="
    for byte in key.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        name.unicodeScalars.append(UnicodeScalar(byte))
      default:
        name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    guard name.utf8.count > 200 else { return name }
    return "\(name.prefix(160))~\(String(StableHash.of([key]), radix: 16))"
  }
}
