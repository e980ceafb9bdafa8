import Foundation
import Glibc
import Testing

/// The built-in handler sqlite.maintain, run by the stock program.
@Suite("sqlite.maintain")
struct DatabaseMaintenanceTests {
  private func place(limit: String = "1m") throws -> Workplace {
    try Workplace(
      """
        - identifier: com.example.maintain
          kind: processing
          handler: sqlite.maintain
          with: {path: notes.db}
          timeLimit: \(limit)

      """)
  }

  private func run(in place: Workplace) throws -> (row: [String: any Sendable], log: String) {
    let finished = try place.bgrun("run", "bgrun.yaml", "--once", "--now", "com.example.maintain")
    let row = try #require(try place.history("com.example.maintain").first, "\(finished.errors)")
    return (row, try place.bgrun("logs", "com.example.maintain").output)
  }

  /// Runs statements with SQLite's own program, and gives what they print.
  @discardableResult
  private func sqlite(_ statements: String, in place: Workplace) throws -> String {
    let finished = try RunningProgram(
      ["sqlite3", "\(place.folder)/notes.db", statements],
      environment: ["PATH": "/usr/bin:/bin"], in: place.folder
    ).waitForEnd(seconds: 60)
    try #require(finished.status == 0, "\(finished.errors)")
    return finished.output
  }

  private func fill(rows: Int, in place: Workplace) throws {
    try sqlite(
      """
      CREATE TABLE entry (id INTEGER PRIMARY KEY, text TEXT);
      WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter LIMIT \(rows))
        INSERT INTO entry SELECT n, hex(randomblob(100)) FROM counter;
      CREATE INDEX entry_by_text ON entry (text);
      """, in: place)
  }

  private func size(in place: Workplace) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(place.folder)/notes.db")
    return try #require(attributes[.size] as? Int)
  }

  @Test func `gives free pages back and says how many bytes that saved`() throws {
    let place = try place()
    try fill(rows: 5000, in: place)
    try sqlite("DELETE FROM entry WHERE id > 50", in: place)
    let before = try size(in: place)
    let (row, log) = try run(in: place)
    let after = try size(in: place)
    #expect(row["outcome"] as? String == "succeeded")
    #expect(row["progress"] as? Double == 1)
    #expect(after * 10 < before)
    #expect(log == "\(place.folder)/notes.db: \(before) bytes before, \(after) after\n")
    #expect(try sqlite("SELECT count(*) FROM entry", in: place) == "50\n")
  }

  @Test func `LC4: at the limit the statement is interrupted and the database is whole`() throws {
    let place = try place(limit: "1s")
    // Sorting this anew takes longer than the limit on any machine.
    try fill(rows: 1_000_000, in: place)
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "expired")
    #expect(row["reason"] as? String == "timeLimit")
    #expect(
      try sqlite("PRAGMA quick_check; SELECT count(*) FROM entry", in: place) == "ok\n1000000\n")
  }

  @Test func `a path without a database fails the run and makes none`() throws {
    let place = try place()
    let (row, _) = try run(in: place)
    #expect(row["reason"] as? String == "handlerThrew")
    #expect(
      row["detail"] as? String
        == "cannot maintain the database \(place.folder)/notes.db: there is no such file")
    #expect(place.read("notes.db") == nil)
  }

  @Test func `a file that is no database fails the run and stays as it is`() throws {
    let place = try place()
    let text = String(repeating: "shopping list\n", count: 100)
    try place.write("notes.db", text)
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "failed")
    #expect(
      row["detail"] as? String
        == "cannot read the database \(place.folder)/notes.db: it is no SQLite database")
    #expect(place.read("notes.db") == text)
  }

  @Test func `a damaged database fails the run and is left as it is`() throws {
    let place = try place()
    try fill(rows: 5000, in: place)
    let file = try #require(fopen("\(place.folder)/notes.db", "r+"))
    // The middle of the file: some page of the table or its index.
    fseek(file, try size(in: place) / 2 / 4096 * 4096, SEEK_SET)
    let noise = [UInt8](repeating: 0xAA, count: 4096)
    fwrite(noise, 1, noise.count, file)
    fclose(file)
    let before = FileManager.default.contents(atPath: "\(place.folder)/notes.db")
    let (row, _) = try run(in: place)
    #expect(row["outcome"] as? String == "failed")
    #expect((row["detail"] as? String)?.contains("damaged") == true)
    #expect(FileManager.default.contents(atPath: "\(place.folder)/notes.db") == before)
  }

  @Test func `validate refuses a parameter that it doesn't have`() throws {
    let place = try Workplace(
      "  - {identifier: com.example.maintain, kind: processing, handler: sqlite.maintain, "
        + "with: {path: a.db, mode: full}}\n")
    let refused = try place.bgrun("validate", "bgrun.yaml")
    #expect(refused.status == 1)
    #expect(refused.output.contains("with.mode: there is no such parameter; there are path"))
  }
}
