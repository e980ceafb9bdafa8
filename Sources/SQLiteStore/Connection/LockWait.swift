internal import CSQLite
internal import Glibc

/// How a connection waits for another one's lock: short pauses first, longer ones later.
///
/// SQLite's own way begins with a whole millisecond, three times what a commit takes on a good disk,
/// and each job is passed on between processes by several commits.
enum LockWait {
  /// How often each pause is made before the next longer one, which the last one has no end of.
  private static let pausesOfALength = 4
  /// Microseconds.
  private static let pauses: [UInt32] = [50, 100, 200, 500, 1000, 2000, 5000, 10_000, 25_000]

  /// Has a connection wait for locks, at most for `milliseconds` at a time.
  static func install(on handle: OpaquePointer, atMost milliseconds: Int) {
    // The number is the callback's own: it travels as the pointer that SQLite hands back.
    let limit = unsafe UnsafeMutableRawPointer(bitPattern: milliseconds)
    _ = unsafe sqlite3_busy_handler(
      handle,
      { limit, earlier in
        let limit = Int(bitPattern: limit)
        guard LockWait.waited(before: Int(earlier)) < limit * 1000 else { return 0 }
        // Its locks are taken without waiting, so that their release is no event for anybody.
        var pause = timespec(
          tv_sec: 0, tv_nsec: Int(LockWait.pause(after: Int(earlier))) * 1000)
        _ = unsafe pselect(0, nil, nil, nil, &pause, nil)
        return 1
      }, limit)
  }

  /// The pause after so many earlier ones, in microseconds.
  static func pause(after earlier: Int) -> UInt32 {
    pauses[min(earlier / pausesOfALength, pauses.count - 1)]
  }

  /// What so many pauses have come to, in microseconds.
  static func waited(before earlier: Int) -> Int {
    let steps = min(earlier / pausesOfALength, pauses.count - 1)
    let whole = pauses[..<steps].reduce(0) { $0 + Int($1) * pausesOfALength }
    return whole + (earlier - steps * pausesOfALength) * Int(pauses[steps])
  }
}
