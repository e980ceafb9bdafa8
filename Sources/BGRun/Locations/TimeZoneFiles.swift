package import JobModel
import LinuxSystem

/// The machine's time-zone files, by the names that manifests and `TZ` use.
package struct TimeZoneFiles: Sendable {
  private let folder: String
  private let localName: String?

  /// - Parameter environment: `TZ` names the local zone, `TZDIR` the folder of the files.
  package init(environment: [String: String]) {
    folder = environment["TZDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/share/zoneinfo"
    // A leading colon says that a file is meant, which is all that is understood here.
    localName = environment["TZ"].map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 }
  }

  /// The rules of a named zone; nil where the machine has no such file.
  package func rules(named name: String) -> TimeZoneRules? {
    if name == "UTC" { return .utc }
    guard !name.isEmpty, !name.split(separator: "/").contains("..") else { return nil }
    return read(name.hasPrefix("/") ? name : "\(folder)/\(name)", name: name)
  }

  /// The system's zone: `TZ`, else /etc/localtime; UTC where neither says, as libc has it.
  package var local: TimeZoneRules {
    if let localName { return localName.isEmpty ? .utc : rules(named: localName) ?? .utc }
    return read("/etc/localtime", name: "local time") ?? .utc
  }

  /// The names of the machine's zones, for suggestions.
  package var names: [String] { names(in: "", depth: 0) }

  private func names(in area: String, depth: Int) -> [String] {
    // Areas nest twice (America/Argentina/…); `posix` and `right` repeat everything.
    guard depth < 3, area != "posix/", area != "right/" else { return [] }
    let entries = (try? Files.list("\(folder)/\(area)")) ?? []
    return entries.flatMap { entry -> [String] in
      let name = area + entry
      if Files.isFolder("\(folder)/\(name)") { return names(in: name + "/", depth: depth + 1) }
      return name.contains(".") ? [] : [name]
    }
  }

  private func read(_ path: String, name: String) -> TimeZoneRules? {
    guard let bytes = try? Files.read(path) else { return nil }
    return try? TimeZoneRules(name: name, tzif: bytes)
  }
}
