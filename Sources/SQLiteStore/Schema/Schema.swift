/// The tables, and the arbitration that they enforce by themselves whatever a program tries.
enum Schema {
  /// "bgrn": marks the file as a store of this program.
  static let applicationID: Int64 = 0x6267_726E

  /// The steps from nothing to the newest form; a store's `user_version` counts those it has taken.
  /// A published step is never edited: a change of form is a further step.
  static let steps = [first, staleReadings, stalledRuns, leases, retiredOwners]

  static var version: Int64 { Int64(steps.count) }

  private static let first = """
    -- One row: what is counted for the whole store.
    CREATE TABLE store (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      seed INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      recorded_at INTEGER,
      last_request INTEGER NOT NULL,
      last_run INTEGER NOT NULL,
      last_fence INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE owner (
      fence INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      host TEXT NOT NULL,
      process_id INTEGER NOT NULL,
      started_at INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE owner_reading (
      owner INTEGER NOT NULL,
      name TEXT NOT NULL,
      path TEXT NOT NULL,
      value ANY,
      source TEXT NOT NULL,
      since INTEGER NOT NULL,
      is_assumed INTEGER NOT NULL,
      PRIMARY KEY (owner, name, path)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE job (
      id INTEGER PRIMARY KEY,
      identifier TEXT NOT NULL UNIQUE,
      revision INTEGER NOT NULL,
      anchor INTEGER,
      schedule_fingerprint TEXT,
      last_start INTEGER,
      last_success INTEGER,
      last_outcome TEXT,
      last_reason TEXT,
      disabled_since INTEGER,
      -- Kept by the triggers below: counting rows would cost what is pending.
      pending_app_refresh INTEGER NOT NULL DEFAULT 0,
      pending_processing INTEGER NOT NULL DEFAULT 0,
      pending_continued INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX job_by_revision ON job (revision, identifier);

    CREATE TABLE request (
      id INTEGER PRIMARY KEY,
      job INTEGER NOT NULL,
      key TEXT NOT NULL,
      kind TEXT NOT NULL,
      origin TEXT NOT NULL CHECK (origin IN ('submission', 'instant', 'predecessors')),
      nominal_instant INTEGER CHECK ((nominal_instant IS NULL) = (origin = 'submission')),
      submitted_at INTEGER NOT NULL,
      not_before INTEGER NOT NULL,
      floor TEXT,
      -- The gate class and whether the key is empty, as one number: a queue of its own.
      queue INTEGER NOT NULL,
      attempt INTEGER NOT NULL,
      starts INTEGER NOT NULL,
      returns_in_row INTEGER NOT NULL,
      parameters TEXT,
      title TEXT,
      subtitle TEXT,
      is_user_initiated INTEGER NOT NULL,
      is_running INTEGER NOT NULL CHECK (is_running IN (0, 1))
    ) STRICT;
    -- The order in which the pending requests of a queue become due.
    CREATE INDEX request_queue ON request (job, queue, not_before) WHERE is_running = 0;
    -- SB1: at most one submission that hasn't started for each key.
    CREATE UNIQUE INDEX request_unstarted ON request (job, key)
      WHERE origin = 'submission' AND starts = 0;
    -- The pending ones that may share a key: instants, and what waits for another start.
    CREATE INDEX request_beside ON request (job, key)
      WHERE is_running = 0 AND (origin <> 'submission' OR starts > 0);

    -- PL11: an instant is recorded once, however long its request has been gone.
    CREATE TABLE recorded_instant (
      job INTEGER NOT NULL,
      instant INTEGER NOT NULL,
      PRIMARY KEY (job, instant)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE run (
      number INTEGER PRIMARY KEY,
      request INTEGER NOT NULL,
      job INTEGER NOT NULL,
      key TEXT NOT NULL,
      owner INTEGER NOT NULL,
      host TEXT NOT NULL,
      started_at INTEGER NOT NULL,
      expiring_reason TEXT,
      expiring_since INTEGER,
      grace_ends INTEGER,
      stop_requested TEXT,
      progress REAL,
      title TEXT,
      subtitle TEXT
    ) STRICT;
    -- SB1: at most one run for each key.
    CREATE UNIQUE INDEX run_by_key ON run (job, key);

    CREATE TABLE history (
      sequence INTEGER PRIMARY KEY,
      run INTEGER,
      job INTEGER NOT NULL,
      key TEXT NOT NULL,
      attempt INTEGER NOT NULL,
      submitted_at INTEGER,
      scheduled_at INTEGER,
      started_at INTEGER,
      ended_at INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      reason TEXT,
      detail TEXT,
      count INTEGER NOT NULL,
      exit_status INTEGER,
      signal INTEGER,
      peak_memory INTEGER,
      -- Nanoseconds.
      cpu_time INTEGER,
      was_killed INTEGER NOT NULL,
      progress REAL,
      host TEXT,
      output TEXT
    ) STRICT;
    CREATE INDEX history_by_job ON history (job);
    -- ST1: a run ends once.
    CREATE UNIQUE INDEX history_by_run ON history (run) WHERE run IS NOT NULL;

    CREATE TABLE job_set (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      digest TEXT NOT NULL
    ) STRICT;
    CREATE TABLE job_set_source (
      position INTEGER PRIMARY KEY,
      path TEXT NOT NULL,
      folder TEXT NOT NULL,
      text TEXT NOT NULL
    ) STRICT;

    CREATE TRIGGER request_arrives AFTER INSERT ON request WHEN new.is_running = 0
    BEGIN
      UPDATE job SET
        pending_app_refresh = pending_app_refresh + (new.kind = 'appRefresh'),
        pending_processing = pending_processing + (new.kind = 'processing'),
        pending_continued = pending_continued + (new.kind = 'continuedProcessing')
      WHERE id = new.job;
    END;
    CREATE TRIGGER request_leaves AFTER DELETE ON request WHEN old.is_running = 0
    BEGIN
      UPDATE job SET
        pending_app_refresh = pending_app_refresh - (old.kind = 'appRefresh'),
        pending_processing = pending_processing - (old.kind = 'processing'),
        pending_continued = pending_continued - (old.kind = 'continuedProcessing')
      WHERE id = old.job;
    END;
    CREATE TRIGGER request_turns AFTER UPDATE OF is_running ON request
      WHEN old.is_running <> new.is_running
    BEGIN
      UPDATE job SET
        pending_app_refresh = pending_app_refresh
          + (old.is_running - new.is_running) * (new.kind = 'appRefresh'),
        pending_processing = pending_processing
          + (old.is_running - new.is_running) * (new.kind = 'processing'),
        pending_continued = pending_continued
          + (old.is_running - new.is_running) * (new.kind = 'continuedProcessing')
      WHERE id = new.job;
    END;
    """

  /// A reading may be the last word of a source that is gone.
  private static let staleReadings = """
    ALTER TABLE owner_reading ADD COLUMN is_stale INTEGER NOT NULL DEFAULT 0;
    """

  /// A person may be asked whether to wait for a run.
  private static let stalledRuns = """
    ALTER TABLE run ADD COLUMN stalled_since INTEGER;
    """

  /// A run may be claimed ahead of its start.
  private static let leases = """
    ALTER TABLE run ADD COLUMN is_leased INTEGER NOT NULL DEFAULT 0 CHECK (is_leased IN (0, 1));
    """

  /// An owner may be alive only for the ends of its runs.
  private static let retiredOwners = """
    ALTER TABLE owner ADD COLUMN is_retired INTEGER NOT NULL DEFAULT 0 CHECK (is_retired IN (0, 1));
    """
}
