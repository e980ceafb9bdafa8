internal import CSQLite
internal import Glibc
internal import JobModel

/// How a connection to a store's database comes about: creation, checks and migrations.
struct StoreOpening {
  let folder: StoreFolder
  let patience: Duration

  /// Opens the database that is there, brought to the newest form.
  func openExisting() throws(StoreFailure) -> SQLiteConnection {
    let connection = try connect()
    if try version(of: connection) < Schema.version {
      try folder.withLock(patience: patience) { () throws(StoreFailure) in
        try migrate(connection)
      }
    }
    return connection
  }

  /// Opens the database, made first where there is none.
  func openOrCreate() throws(StoreFailure) -> SQLiteConnection {
    try folder.make()
    if try !folder.holdsStore() {
      try folder.withLock(patience: patience) { () throws(StoreFailure) in
        if try !folder.holdsStore() { try create() }
      }
    }
    return try openExisting()
  }

  /// Builds the database beside its place and moves it there whole: a file that is empty or cut off
  /// is then always damage, never a creation that was interrupted (DU4).
  private func create() throws(StoreFailure) {
    let draft = folder.database + ".new"
    for leftover in [draft, draft + "-wal", draft + "-shm", draft + "-journal"] {
      unsafe unlink(leftover)
    }
    let descriptor = unsafe open(draft, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw folder.failure("make the store \(draft)", .last) }
    close(descriptor)
    try translating("create") { () throws(SQLiteError) in
      let connection = try SQLiteConnection(path: draft, mode: .create, patience: patience)
      try connection.execute(
        """
        PRAGMA synchronous = FULL;
        PRAGMA application_id = \(Schema.applicationID);
        BEGIN IMMEDIATE;
        """)
      for step in Schema.steps { try connection.execute(step) }
      try connection.statement(
        """
        INSERT INTO store (only_row, seed, revision, last_request, last_run, last_fence)
        VALUES (1, ?, 0, 0, 0, 0)
        """
      ).run(.integer(Int64(bitPattern: .random(in: .min ... .max))))
      try connection.execute(
        "PRAGMA user_version = \(Schema.version); COMMIT; PRAGMA journal_mode = WAL;")
    }
    guard unsafe rename(draft, folder.database) == 0 else {
      throw folder.failure("make the store \(folder.database)", .last)
    }
    let directory = unsafe open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw folder.failure("open the folder \(folder.path)", .last) }
    defer { close(directory) }
    guard fsync(directory) == 0 else {
      throw folder.failure("record the store in \(folder.path)", .last)
    }
  }

  private func connect() throws(StoreFailure) -> SQLiteConnection {
    var status = stat()
    if unsafe stat(folder.database, &status) == 0, status.st_size == 0 {
      throw damaged("it is empty")
    }
    return try translating("open") { () throws(SQLiteError) in
      let connection = try SQLiteConnection(
        path: folder.database, mode: .readWrite, patience: patience)
      // A write-ahead file that grows doubles the cost of a commit; it is emptied by the last one
      // that closes the store, so that the next needn't read it through.
      try connection.execute(
        """
        PRAGMA wal_autocheckpoint = 1000;
        PRAGMA journal_size_limit = 8388608;
        PRAGMA temp_store = MEMORY;
        """)
      try connection.setSynchronous(true)
      try connection.keepWriteAheadFile()
      return connection
    }
  }

  private func version(of connection: SQLiteConnection) throws(StoreFailure) -> Int64 {
    let (application, version) = try translating("open") { () throws(SQLiteError) in
      (
        try connection.statement("PRAGMA application_id").first { $0.integer(0) } ?? 0,
        try connection.statement("PRAGMA user_version").first { $0.integer(0) } ?? 0
      )
    }
    guard application == Schema.applicationID else {
      throw damaged("it is another program's database")
    }
    guard version <= Schema.version else {
      throw StoreFailure(
        cause: .tooNew,
        sentence: "cannot use the store \(folder.database): a newer bgrun wrote it (form "
          + "\(version), this one knows \(Schema.version)); use that bgrun or a newer one")
    }
    return version
  }

  /// Takes the steps that the store hasn't taken yet, as one transaction.
  private func migrate(_ connection: SQLiteConnection) throws(StoreFailure) {
    let taken = try version(of: connection)
    guard taken < Schema.version else { return }
    try translating("bring up to date") { () throws(SQLiteError) in
      try connection.execute("BEGIN IMMEDIATE")
      for step in Schema.steps.dropFirst(Int(taken)) { try connection.execute(step) }
      try connection.execute("PRAGMA user_version = \(Schema.version); COMMIT;")
    }
  }

  private func damaged(_ what: String) -> StoreFailure {
    StoreFailure(
      SQLiteError(code: SQLITE_NOTADB, message: what), attempting: "open", path: folder.database,
      patience: patience)
  }

  private func translating<Result>(
    _ attempt: String, _ body: () throws(SQLiteError) -> Result
  ) throws(StoreFailure) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw StoreFailure(
        error, attempting: attempt, path: folder.database, patience: patience)
    }
  }
}
