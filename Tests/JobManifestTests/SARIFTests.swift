import Foundation
import JobManifest
import Testing
import YAMLSource

/// The rules of SARIF 2.1.0 that consumers stumble over and no schema can tell, for the report of every
/// fixture; the end-to-end tests compare the built program's with the published schema.
@Suite("SARIF reports keep to the standard")
struct SARIFTests {
  private typealias Members = [String: Any]

  private static let setting = ReportSetting(
    isColoured: false, limit: .error, folder: "/srv", version: "0.0.0")
  static let names = Fixtures.names(in: "single", ending: ".yaml")

  private func check(_ name: String, _ bytes: [UInt8]) -> LoadedSet {
    TestMachine.loader.check(sources: [
      ManifestSource(path: "/srv/jobs of all/\(name).yaml", folder: "/srv", bytes: bytes)
    ])
  }

  private func run(of set: LoadedSet) throws -> Members {
    let text = DiagnosticFormat.sarif.render([set], Self.setting)
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Members)
    #expect(log["version"] as? String == "2.1.0")
    return try #require((log["runs"] as? [Members])?.first)
  }

  @Test func `there are fixtures`() {
    #expect(Self.names.count > 60)
  }

  @Test(arguments: names)
  func `columns count code points, and each result names its rule twice`(name: String) throws {
    let set = check(name, Fixtures.bytes("single/\(name).yaml"))
    let run = try run(of: set)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try #require((run["tool"] as? Members)?["driver"] as? Members)
    let rules = try #require(driver["rules"] as? [Members])
    let results = try #require(run["results"] as? [Members])
    #expect(results.count == set.diagnostics.count)
    for result in results {
      let number = try #require(result["ruleIndex"] as? Int)
      #expect(rules[number]["id"] as? String == result["ruleId"] as? String)
      #expect(["error", "warning", "note"].contains(result["level"] as? String))
      let configuration = rules[number]["defaultConfiguration"] as? Members
      #expect(configuration?["level"] as? String == result["level"] as? String)
    }
  }

  @Test(arguments: names)
  func `every region is a range of the text, 1-based, in a file named relative to the folder`(
    name: String
  ) throws {
    let set = check(name, Fixtures.bytes("single/\(name).yaml"))
    let lines = Self.lines(of: String(decoding: set.files[0].text.bytes, as: UTF8.self))
    let run = try run(of: set)
    for (location, _) in Self.objects("physicalLocation", in: run) {
      let artifact = try #require(location["artifactLocation"] as? Members)
      #expect(artifact["uri"] as? String == "jobs%20of%20all/\(name).yaml")
    }
    for (region, member) in Self.objects("region", in: run) + Self.objects("deletedRegion", in: run)
    {
      let start = try Self.place("start", in: region)
      let end = try Self.place("end", in: region)
      #expect(start.line < end.line || start.line == end.line && start.column <= end.column)
      for place in [start, end] {
        let isInText =
          (1...lines.count).contains(place.line) && place.column >= 1
          && place.column <= lines[place.line - 1] + 1
        #expect(isInText, "\(member) \(place)")
      }
    }
  }

  @Test(arguments: names)
  func `the places are those of the text report`(name: String) throws {
    let set = check(name, Fixtures.bytes("single/\(name).yaml"))
    let results = try #require(try run(of: set)["results"] as? [Members])
    let told = try results.map { result in
      let location = try #require((result["locations"] as? [Members])?.first)
      let region = (location["physicalLocation"] as? Members)?["region"] as? Members
      let start = try Self.place("start", in: try #require(region))
      return "\(start.line):\(start.column)"
    }
    let compact = DiagnosticFormat.compact.render([set], Self.setting).split(separator: "\n")
    #expect(told == compact.map { $0.split(separator: ":")[1...2].joined(separator: ":") })
  }

  /// Files that aren't plain text have no line that could be put above the others.
  static let movable = names.filter { name in
    Fixtures.bytes("single/\(name).yaml").first.map { ![0xEF, 0xFE, 0xFF].contains($0) } ?? false
  }

  @Test(arguments: movable)
  func `fingerprints stay when lines are inserted above, and tell all findings apart`(
    name: String
  ) throws {
    let bytes = Fixtures.bytes("single/\(name).yaml")
    let before = try Self.fingerprints(of: run(of: check(name, bytes)))
    let moved = check(name, Array("# One line\n\n# and two more\n".utf8) + bytes)
    #expect(try Self.fingerprints(of: run(of: moved)) == before)
    #expect(Set(before).count == before.count)
  }

  @Test func `fingerprints differ between files`() throws {
    let bytes = Fixtures.bytes("single/ten-mistakes.yaml")
    let first = try Self.fingerprints(of: run(of: check("one", bytes)))
    let second = try Self.fingerprints(of: run(of: check("two", bytes)))
    #expect(first.count == 10)
    #expect(Set(first).isDisjoint(with: second))
  }

  // MARK: Reading

  private static func fingerprints(of run: Members) throws -> [String] {
    let results = try #require(run["results"] as? [Members])
    return try results.map { result in
      let prints = try #require(result["partialFingerprints"] as? [String: String])
      return try #require(prints["bgrun/v1"])
    }
  }

  private static func place(
    _ end: String, in region: Members
  ) throws -> (line: Int, column: Int) {
    (
      try #require(region["\(end)Line"] as? Int), try #require(region["\(end)Column"] as? Int)
    )
  }

  /// The number of scalars of each line; the last one may be empty.
  private static func lines(of text: String) -> [Int] {
    var counts = [0]
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if previous == "\r", scalar != "\n" { counts.append(0) }
      switch scalar {
      case "\n": counts.append(0)
      case "\r": break
      default: counts[counts.count - 1] += 1
      }
      previous = scalar
    }
    return counts
  }

  /// All objects that are the value of a member of this name, with their paths.
  private static func objects(
    _ name: String, in value: Any, at path: String = ""
  ) -> [(Members, String)] {
    if let array = value as? [Any] {
      return array.enumerated().flatMap { objects(name, in: $1, at: "\(path)[\($0)]") }
    }
    guard let object = value as? Members else { return [] }
    return object.flatMap { key, value -> [(Members, String)] in
      let path = "\(path).\(key)"
      let found = key == name ? (value as? Members).map { [($0, path)] } ?? [] : []
      return found + objects(name, in: value, at: path)
    }
  }
}
