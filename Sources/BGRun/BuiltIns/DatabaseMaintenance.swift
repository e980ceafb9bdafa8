import JobManifest
import LinuxSystem
import SQLiteStore

/// `sqlite.maintain`: checks a SQLite database, refreshes what its query planner goes by, and gives
/// its free pages back.
///
/// Whatever ends it, the database is whole: SQLite changes the file only once the compacted one is
/// complete. At expiration the statement that runs is interrupted (LC4).
@BlockingWork
struct DatabaseMaintenance {
  nonisolated static func register(in app: HandlerRegistry) {
    app.handle(guide.name, parameters: Parameters.self) { @BlockingWork context in
      try await DatabaseMaintenance(context).perform()
    }
  }

  nonisolated static let guide = HandlerGuide(
    name: "sqlite.maintain",
    meaning:
      "Checks the SQLite database path, refreshes what its query planner goes by, and gives its free "
      + "pages back. A damaged database is left as it is, and the run fails.",
    example: """
      kind: processing
      handler: sqlite.maintain
      with: {path: data/notes.db}
      """)

  /// The manifest's `with`.
  struct Parameters: Decodable, NamesPlaces, Sendable {
    static let places = [NamedPlace("path", .file)]

    let path: ManifestPath

    private enum CodingKeys: String, CodingKey, CaseIterable {
      case path
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(strictlyKeyedBy: CodingKeys.self)
      path = try container.decode(ManifestPath.self, forKey: .path)
    }
  }

  /// The longest wait for another program's lock.
  private static let patience = Duration.seconds(5)
  /// The part of the work that is done when the check is; the rest is the compaction.
  private static let checked = 0.3

  private let context: HandlerContext<Parameters>
  private let path: String

  private init(_ context: HandlerContext<Parameters>) {
    self.context = context
    path = context.parameters.path.resolved(from: context.manifestFolder)
  }

  private func perform() async throws {
    let before = try size()
    // The connection is closed before the size is taken again: a write-ahead file ends with it.
    try await maintain()
    context.progress.update(fractionCompleted: 1)
    print("\(path): \(before) bytes before, \(try size()) after")
  }

  private func maintain() async throws {
    let connection = try attempt("open") { () throws(SQLiteError) in
      try SQLiteConnection(path: path, mode: .readWrite, patience: Self.patience)
    }
    let interruption = connection.interruption
    try await withTaskCancellationHandler {
      try check(connection)
      try attempt("optimize") { () throws(SQLiteError) in
        try connection.execute("PRAGMA optimize")
      }
      try compact(connection)
    } onCancel: {
      interruption.request()
    }
  }

  private func check(_ connection: SQLiteConnection) throws {
    let pages = try count("page_count", connection)
    observe(connection, from: 0, to: Self.checked, pages: pages, counting: \.read)
    let findings = try attempt("check") { () throws(SQLiteError) in
      try connection.statement("PRAGMA integrity_check(10)").all { $0.text(0) }
    }
    guard findings == ["ok"] else {
      findings.forEach { context.logger.error($0) }
      throw BuiltInFailure(
        description: "\(path) is damaged and was left as it is: \(findings.first ?? "no result")")
    }
    context.progress.update(fractionCompleted: Self.checked)
  }

  private func compact(_ connection: SQLiteConnection) throws {
    let pages =
      try count("page_count", connection) - count("freelist_count", connection)
    observe(connection, from: Self.checked, to: 1, pages: pages, counting: \.written)
    try attempt("compact") { () throws(SQLiteError) in try connection.execute("VACUUM") }
  }

  private func count(_ pragma: String, _ connection: SQLiteConnection) throws -> Int {
    try attempt("read") { () throws(SQLiteError) in
      try connection.statement("PRAGMA \(pragma)").first { Int($0.integer(0)) } ?? 0
    }
  }

  /// Tells how many of the pages are done, as a part of the whole between two fractions.
  private func observe(
    _ connection: SQLiteConnection, from start: Double, to end: Double, pages: Int,
    counting counter: KeyPath<SQLitePageCounts, Int>
  ) {
    let progress = context.progress
    var first: Int?
    connection.observe { counts in
      let count = counts[keyPath: counter]
      let done = count - (first ?? count)
      first = first ?? count
      let part = min(1, Double(done) / Double(max(1, pages)))
      // SQLite reads some pages twice; what was told is never taken back.
      progress.update(
        fractionCompleted: max(progress.fractionCompleted, start + part * (end - start)))
    }
  }

  /// Does what its name says, with SQLite's errors as sentences about this database.
  private func attempt<Value>(
    _ verb: String, _ body: () throws(SQLiteError) -> Value
  ) throws -> Value {
    try Task.checkCancellation()
    do throws(SQLiteError) {
      return try body()
    } catch {
      if error.isInterruption { throw CancellationError() }
      throw BuiltInFailure(description: "cannot \(verb) the database \(path): \(error.reason)")
    }
  }

  /// In bytes.
  private func size() throws -> Int64 {
    let problem: String
    do throws(SystemError) {
      switch try Files.status(path) {
      case let status? where status.kind == .file: return status.size
      case .some: problem = "it is no file"
      case nil: problem = "there is no such file"
      }
    } catch {
      problem = error.reason
    }
    throw BuiltInFailure(description: "cannot maintain the database \(path): \(problem)")
  }
}
