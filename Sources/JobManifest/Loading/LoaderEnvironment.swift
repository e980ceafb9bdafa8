package import JobModel

/// What the loader needs to know of the machine and can't see in a manifest.
package struct LoaderEnvironment: Sendable {
  package enum Program: Sendable {
    case found
    case missing
    case notExecutable
  }

  /// Looks for a program: by its path, relative to the manifest's folder, or on the PATH.
  package var program: @Sendable (_ name: String, _ folder: String) -> Program
  /// The rules of a time zone by its name; nil where the machine has none.
  package var timeZone: @Sendable (String) -> TimeZoneRules?
  /// The names that `timeZone` knows, for suggestions.
  package var timeZoneNames: @Sendable () -> [String]
  package var systemTimeZone: @Sendable () -> TimeZoneRules
  package var now: WallInstant
  package var coreCount: Int

  package init(
    program: @escaping @Sendable (_ name: String, _ folder: String) -> Program,
    timeZone: @escaping @Sendable (String) -> TimeZoneRules?,
    timeZoneNames: @escaping @Sendable () -> [String],
    systemTimeZone: @escaping @Sendable () -> TimeZoneRules,
    now: WallInstant, coreCount: Int
  ) {
    self.program = program
    self.timeZone = timeZone
    self.timeZoneNames = timeZoneNames
    self.systemTimeZone = systemTimeZone
    self.now = now
    self.coreCount = coreCount
  }
}
