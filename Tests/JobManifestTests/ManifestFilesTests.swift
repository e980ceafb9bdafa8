import Glibc
import JobManifest
import Testing

@Suite("Paths become manifests")
struct ManifestFilesTests {
  /// A folder of its own for each test, removed when the test is over.
  private final class Folder {
    let path: String
    private var made: [String] = []

    init(_ files: [String: String]) {
      var template = Array("/tmp/bgrun-files-XXXXXX".utf8CString)
      path = mkdtemp(&template).map { String(cString: $0) } ?? ""
      for (name, text) in files {
        var parent = path
        for part in name.split(separator: "/").dropLast() {
          parent += "/\(part)"
          if mkdir(parent, 0o755) == 0 { made.append(parent) }
        }
        guard let file = fopen("\(path)/\(name)", "w") else { continue }
        made.append("\(path)/\(name)")
        fputs(text, file)
        fclose(file)
      }
    }

    /// Adds a link from one name in the folder to another.
    func link(_ name: String, to target: String) {
      guard symlink("\(path)/\(target)", "\(path)/\(name)") == 0 else { return }
      made.append("\(path)/\(name)")
    }

    deinit {
      for name in made.reversed() { remove(name) }
      remove(path)
    }

    func found(_ paths: [String]) throws -> [String] {
      try ManifestFiles.find(paths: paths.map { "\(path)/\($0)" }).map {
        String($0.dropFirst(path.count + 1))
      }
    }
  }

  @Test func `a folder is walked, sorted, both endings taken`() throws {
    let folder = Folder([
      "jobs/b.yaml": "", "jobs/a.yml": "", "jobs/sub/c.yaml": "", "jobs/readme.md": "",
      "jobs/.git/d.yaml": "",
    ])
    #expect(try folder.found(["jobs"]) == ["jobs/a.yml", "jobs/b.yaml", "jobs/sub/c.yaml"])
    #expect(try folder.found(["jobs/"]) == ["jobs/a.yml", "jobs/b.yaml", "jobs/sub/c.yaml"])
  }

  @Test func `a file is taken whatever its ending, and once`() throws {
    let folder = Folder(["jobs/readme.md": "", "jobs/a.yaml": ""])
    #expect(
      try folder.found(["jobs/readme.md", "jobs", "jobs/a.yaml"])
        == ["jobs/readme.md", "jobs/a.yaml"])
  }

  @Test func `.gitignore is honoured, from the repository's root down`() throws {
    let folder = Folder([
      ".git/HEAD": "", ".gitignore": "*.tmp.yaml\n/jobs/old/\n",
      "jobs/.gitignore": "!keep.tmp.yaml\n# no\n",
      "jobs/a.yaml": "", "jobs/b.tmp.yaml": "", "jobs/keep.tmp.yaml": "", "jobs/old/c.yaml": "",
      "jobs/new/old/d.yaml": "", "jobs/new/.gitignore": "deep/**/x.yaml",
      "jobs/new/deep/x.yaml": "", "jobs/new/deep/er/x.yaml": "",
    ])
    #expect(
      try folder.found(["jobs"]) == ["jobs/a.yaml", "jobs/keep.tmp.yaml", "jobs/new/old/d.yaml"])
  }

  @Test func `a missing path is named`() {
    #expect(throws: ManifestFiles.Failure.missing(path: "/nowhere/at/all")) {
      try ManifestFiles.find(paths: ["/nowhere/at/all"])
    }
  }

  @Test func `a folder without a manifest is named`() {
    let folder = Folder(["jobs/readme.md": ""])
    #expect(throws: ManifestFiles.Failure.noMatch(path: "\(folder.path)/jobs")) {
      try ManifestFiles.find(paths: ["\(folder.path)/jobs"])
    }
    #expect(
      ManifestFiles.Failure.noMatch(path: "jobs").sentence
        == "the folder 'jobs' holds no .yaml or .yml file")
  }

  @Test func `a folder that links to itself ends`() throws {
    let folder = Folder(["jobs/a.yaml": ""])
    folder.link("jobs/again", to: "jobs")
    #expect(try folder.found(["jobs"]).first == "jobs/a.yaml")
  }
}
