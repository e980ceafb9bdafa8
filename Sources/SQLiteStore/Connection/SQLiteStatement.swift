internal import CSQLite

/// One prepared statement: it owns SQLite's handle and finalises it.
@safe package final class SQLiteStatement {
  private let handle: OpaquePointer
  private unowned let connection: SQLiteConnection

  init(owning handle: OpaquePointer, of connection: SQLiteConnection) {
    unsafe self.handle = handle
    self.connection = connection
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Runs the statement to its end.
  package func run(_ values: SQLiteValue...) throws(SQLiteError) {
    defer { unsafe sqlite3_reset(handle) }
    try bind(values)
    while try step() {}
  }

  /// The first row, or nil when there is none.
  package func first<Value>(
    _ values: SQLiteValue..., read: (SQLiteRow) -> Value
  ) throws(SQLiteError) -> Value? {
    defer { unsafe sqlite3_reset(handle) }
    try bind(values)
    return try step() ? read(SQLiteRow(self)) : nil
  }

  /// Every row.
  package func all<Value>(
    _ values: SQLiteValue..., read: (SQLiteRow) -> Value
  ) throws(SQLiteError) -> [Value] {
    defer { unsafe sqlite3_reset(handle) }
    try bind(values)
    var rows: [Value] = []
    while try step() { rows.append(read(SQLiteRow(self))) }
    return rows
  }

  /// Binds one value to each parameter; an earlier value never stays behind.
  private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
    let parameters = unsafe sqlite3_bind_parameter_count(handle)
    precondition(values.count == parameters, "every parameter of a statement is bound")
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let result: Int32
      switch value {
      case .null: result = unsafe sqlite3_bind_null(handle, place)
      case .integer(let integer): result = unsafe sqlite3_bind_int64(handle, place, integer)
      case .real(let number): result = unsafe sqlite3_bind_double(handle, place, number)
      case .text(var text):
        result = text.withUTF8 { bytes in
          // SQLite copies the bytes: they are only lent here.
          let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
          guard let start = bytes.baseAddress else {
            return unsafe sqlite3_bind_text64(handle, place, "", 0, copies, UInt8(SQLITE_UTF8))
          }
          return unsafe start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
            unsafe sqlite3_bind_text64(
              handle, place, $0, UInt64(bytes.count), copies, UInt8(SQLITE_UTF8))
          }
        }
      }
      guard result == SQLITE_OK else { throw connection.failure(result) }
    }
  }

  private func step() throws(SQLiteError) -> Bool {
    let result = unsafe sqlite3_step(handle)
    switch result {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw connection.failure(result)
    }
  }

  func isNull(_ column: Int32) -> Bool {
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String {
    guard let bytes = unsafe sqlite3_column_text(handle, column) else { return "" }
    let count = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}

/// The row that a statement stands on; only valid inside the closure that it is lent to.
package struct SQLiteRow {
  private let statement: SQLiteStatement

  init(_ statement: SQLiteStatement) {
    self.statement = statement
  }

  package func integer(_ column: Int) -> Int64 { statement.integer(Int32(column)) }
  package func isTrue(_ column: Int) -> Bool { integer(column) != 0 }
  package func text(_ column: Int) -> String { statement.text(Int32(column)) }

  package func optionalInteger(_ column: Int) -> Int64? {
    statement.isNull(Int32(column)) ? nil : integer(column)
  }

  package func optionalReal(_ column: Int) -> Double? {
    statement.isNull(Int32(column)) ? nil : statement.real(Int32(column))
  }

  package func optionalText(_ column: Int) -> String? {
    statement.isNull(Int32(column)) ? nil : text(column)
  }
}
