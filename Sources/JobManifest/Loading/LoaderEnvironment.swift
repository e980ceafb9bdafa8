package import JobModel
package import YAMLSource

/// What the loader needs to know of the machine and can't see in a manifest.
package struct LoaderEnvironment: Sendable {
  package enum Program: Sendable {
    case found
    case missing
    case notExecutable
  }

  /// What is wrong with a handler's parameters.
  package struct ParameterProblem: Sendable {
    /// Keys and numbers that lead from `with` to the value.
    package var path: [String]
    /// Without its full stop.
    package var sentence: String

    package init(path: [String], sentence: String) {
      self.path = path
      self.sentence = sentence
    }
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
  /// Asks the program's own handler whether it takes parameters, one JSON object; nil where it does
  /// or nobody knows it.
  package var parameterProblem:
    @Sendable (_ handler: String, _ parameters: String) -> ParameterProblem?
  /// The parameters of a handler that name places; none where nobody knows the handler, or where
  /// places aren't looked for.
  package var namedPlaces: @Sendable (_ handler: String) -> [NamedPlace]
  /// Looks what is at an absolute path, following links.
  package var place: @Sendable (_ path: String) -> FoundPlace
  /// Another thread for a part of the reading; nil where there is none to spare.
  package var beside: WorkBeside?

  package init(
    program: @escaping @Sendable (_ name: String, _ folder: String) -> Program,
    timeZone: @escaping @Sendable (String) -> TimeZoneRules?,
    timeZoneNames: @escaping @Sendable () -> [String],
    systemTimeZone: @escaping @Sendable () -> TimeZoneRules,
    now: WallInstant, coreCount: Int,
    parameterProblem:
      @escaping @Sendable (_ handler: String, _ parameters: String) -> ParameterProblem? = { _, _ in
        nil
      },
    namedPlaces: @escaping @Sendable (_ handler: String) -> [NamedPlace] = { _ in [] },
    place: @escaping @Sendable (_ path: String) -> FoundPlace = { _ in .hidden },
    beside: WorkBeside? = nil
  ) {
    self.program = program
    self.timeZone = timeZone
    self.timeZoneNames = timeZoneNames
    self.systemTimeZone = systemTimeZone
    self.now = now
    self.coreCount = coreCount
    self.parameterProblem = parameterProblem
    self.namedPlaces = namedPlaces
    self.place = place
    self.beside = beside
  }
}
