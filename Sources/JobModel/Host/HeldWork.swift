/// Work that goes on beside or after runs: background tasks that a host's programs have begun and not
/// yet ended (BG1).
package struct HeldWork: Hashable, Sendable {
  /// Programs that hold at least one.
  package var programs: Int
  /// The runs that such programs execute now.
  package var runs: Set<RunNumber>

  package init(programs: Int = 0, runs: Set<RunNumber> = []) {
    self.programs = programs
    self.runs = runs
  }

  package var isEmpty: Bool { programs == 0 }
}
