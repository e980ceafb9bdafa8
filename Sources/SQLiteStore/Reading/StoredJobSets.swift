internal import JobModel

/// The manifests that the runner last ran, as rows.
struct StoredJobSets {
  let connection: SQLiteConnection

  func replace(with jobSet: StoredJobSet) throws(SQLiteError) {
    try connection.statement("INSERT OR REPLACE INTO job_set (only_row, digest) VALUES (1, ?)")
      .run(.text(jobSet.digest))
    try connection.statement("DELETE FROM job_set_source").run()
    let insert = try connection.statement(
      "INSERT INTO job_set_source (position, path, folder, text) VALUES (?, ?, ?, ?)")
    for (position, source) in jobSet.sources.enumerated() {
      try insert.run(
        .integer(Int64(position)), .text(source.path), .text(source.folder), .text(source.text))
    }
  }

  func digest() throws(SQLiteError) -> String? {
    try connection.statement("SELECT digest FROM job_set").first { $0.text(0) }
  }

  func load() throws(SQLiteError) -> StoredJobSet? {
    guard let digest = try digest() else { return nil }
    let sources = try connection.statement(
      "SELECT path, folder, text FROM job_set_source ORDER BY position"
    ).all { StoredJobSet.Source(path: $0.text(0), folder: $0.text(1), text: $0.text(2)) }
    return StoredJobSet(digest: digest, sources: sources)
  }
}
