import ColorFeedSQLite
import Foundation

/// The database of palettes. One thread at a time uses a store.
final class PaletteStore {
  /// More than this, and the oldest go with the next cleaning.
  private static let largest = 1000

  private let database: OpaquePointer

  static func open() throws -> PaletteStore {
    try PaletteStore(path: DataFolder.make().appendingPathComponent("palettes.db").path)
  }

  private init(path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open(path, &opened)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw ColorFeedError(
        description: "can't open \(path): \(String(cString: sqlite3_errstr(code)))")
    }
    database = opened
    sqlite3_busy_timeout(database, 5000)
    try execute(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE IF NOT EXISTS palettes (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, colors TEXT NOT NULL);
      """)
    Running.shared.add(database)
  }

  deinit {
    Running.shared.remove(database)
    sqlite3_close(database)
  }

  /// Cuts off what any store is at: it then fails with `interrupted`, and nothing is half done.
  static func interrupt() {
    Running.shared.interrupt()
  }

  /// Adds the palettes whose names are new.
  ///
  /// - Returns: how many there were.
  func add(_ palettes: [Palette]) throws -> Int {
    let before = try count()
    for palette in palettes {
      let values = [palette.name, palette.colors.joined(separator: " ")]
      try query("INSERT OR IGNORE INTO palettes (name, colors) VALUES (?, ?)", values) { _ in }
    }
    return try count() - before
  }

  var needsCleaning: Bool {
    get throws { try count() > Self.largest }
  }

  /// Removes the oldest palettes that are too many, and compacts the file.
  ///
  /// - Returns: how many were removed.
  func clean() throws -> Int {
    let before = try count()
    try execute(
      """
      DELETE FROM palettes WHERE id NOT IN (
        SELECT id FROM palettes ORDER BY id DESC LIMIT \(Self.largest));
      PRAGMA optimize;
      VACUUM;
      """)
    return try before - count()
  }

  func palettes() throws -> [Palette] {
    var palettes: [Palette] = []
    try query("SELECT name, colors FROM palettes ORDER BY id") { row in
      palettes.append(
        Palette(
          name: String(cString: sqlite3_column_text(row, 0)),
          colors: String(cString: sqlite3_column_text(row, 1)).split(separator: " ").map(
            String.init)
        ))
    }
    return palettes
  }

  private func count() throws -> Int {
    var count = 0
    try query("SELECT count(*) FROM palettes") { count = Int(sqlite3_column_int64($0, 0)) }
    return count
  }

  private func execute(_ statements: String) throws {
    guard sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  private func query(
    _ text: String, _ values: [String] = [], row: (OpaquePointer) -> Void
  ) throws {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database, text, -1, &prepared, nil) == SQLITE_OK, let prepared else {
      throw failure()
    }
    defer { sqlite3_finalize(prepared) }
    // SQLite copies the text: the pointer is Swift's only during the call.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in values.enumerated() {
      sqlite3_bind_text(prepared, Int32(index + 1), value, -1, copying)
    }
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_ROW: row(prepared)
      case SQLITE_DONE: return
      default: throw failure()
      }
    }
  }

  private func failure() -> ColorFeedError {
    ColorFeedError(description: String(cString: sqlite3_errmsg(database)))
  }
}

/// The open databases, which another thread may interrupt.
private final class Running: @unchecked Sendable {
  static let shared = Running()
  private let lock = NSLock()
  private var databases: Set<OpaquePointer> = []

  func add(_ database: OpaquePointer) { lock.withLock { _ = databases.insert(database) } }
  func remove(_ database: OpaquePointer) { lock.withLock { _ = databases.remove(database) } }
  func interrupt() { lock.withLock { databases.forEach { sqlite3_interrupt($0) } } }
}
