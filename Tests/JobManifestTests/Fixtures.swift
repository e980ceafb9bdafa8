import Glibc
import JobManifest
import JobModel

/// The folder of inputs with what must come out of each; a new case needs no code.
enum Fixtures {
  static let folder: String = {
    let file = #filePath
    return String(file[..<file.lastIndex(of: "/")!]) + "/Fixtures"
  }()

  /// The names, without their ending, of the files of a folder that end so, sorted.
  static func names(in subfolder: String, ending: String) -> [String] {
    var names: [String] = []
    guard let directory = opendir("\(folder)/\(subfolder)") else { return [] }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(ending), !name.hasPrefix(".") {
        names.append(String(name.dropLast(ending.count)))
      }
    }
    return names.sorted()
  }

  static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen("\(folder)/\(path)", "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
    }
  }

  static func text(_ path: String) -> String { String(decoding: bytes(path), as: UTF8.self) }

  /// Writes what came out where recording is asked for by `RECORD_FIXTURES=1`; the test that
  /// asked fails all the same, so that nobody records by accident.
  static func record(_ text: String, as path: String) -> Bool {
    guard getenv("RECORD_FIXTURES") != nil, let file = fopen("\(folder)/\(path)", "w") else {
      return false
    }
    defer { fclose(file) }
    fputs(text, file)
    return true
  }
}

/// A machine that is the same wherever the tests run.
enum TestMachine {
  static let programs: Set<String> = ["/usr/bin/env", "true", "sqlite3", "/srv/tools/known"]
  static let zones = ["Europe/Berlin", "Europe/Madrid", "America/New_York", "Etc/UTC"]

  static let environment = LoaderEnvironment(
    program: { name, folder in
      if name == "./not-executable" { return .notExecutable }
      let path = name.contains("/") && !name.hasPrefix("/") ? "\(folder)/\(name)" : name
      return programs.contains(path) ? .found : .missing
    },
    timeZone: { name in
      guard zones.contains(name) else { return nil }
      return try? TimeZoneRules(name: name, tzif: systemBytes("/usr/share/zoneinfo/\(name)"))
    },
    timeZoneNames: { zones },
    systemTimeZone: { .utc },
    // 2026-01-15 12:00 UTC.
    now: WallInstant(seconds: 1_768_478_400),
    coreCount: 4,
    parameterProblem: { handler, parameters in
      handler == "prune" && parameters.contains("\"ten\"")
        ? .init(path: ["keep"], sentence: "parameter 'keep' of the handler is a number") : nil
    },
    namedPlaces: { handler in
      switch handler {
      case "files.prune": [NamedPlace("path", .folder)]
      case "sqlite.maintain": [NamedPlace("path", .file)]
      case "files.archive": [NamedPlace("path", .folder), NamedPlace("output", .output)]
      default: []
      }
    },
    place: { path in
      switch path {
      case "/srv/cache", "/srv/archives": .folder
      case "/srv/notes.db": .file
      case "/dev/null": .other
      case "/root/cache": .hidden
      default: .nothing
      }
    })

  static let loader = ManifestLoader(environment: environment)

  /// Loads one manifest that a test holds as text.
  static func load(_ text: String, path: String = "jobs.yaml") -> LoadedSet {
    loader.load(sources: [source(text, path: path)])
  }

  static func source(_ text: String, path: String = "jobs.yaml") -> ManifestSource {
    ManifestSource(path: path, folder: "/srv", bytes: Array(text.utf8))
  }

  private static func systemBytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&buffer, 1, buffer.count, file)
    return Array(buffer[..<count])
  }
}
