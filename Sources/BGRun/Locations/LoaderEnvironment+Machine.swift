import JobManifest
import JobModel
import LinuxSystem

extension LoaderEnvironment {
  /// What the loader asks of this machine.
  ///
  /// - Parameters:
  ///   - handlers: the program's own, where manifests are checked against them.
  ///   - looksForPlaces: whether what parameters name has to be there already.
  static func machine(
    _ context: CommandContext, handlers: HandlerRegistry? = nil, looksForPlaces: Bool = false
  ) -> LoaderEnvironment {
    let zones = TimeZoneFiles(environment: context.environment)
    let searched = context.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    return LoaderEnvironment(
      program: { name, folder in
        if name.contains("/") {
          let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
          if Files.isExecutable(path) { return .found }
          return ((try? Files.status(path)) ?? nil) == nil ? .missing : .notExecutable
        }
        return Files.executable(named: name, searching: searched) == nil ? .missing : .found
      },
      timeZone: zones.rules, timeZoneNames: { zones.names }, systemTimeZone: { zones.local },
      now: context.now().wall, coreCount: Machine.coreCount,
      parameterProblem: { name, parameters in
        handlers?.entry(named: name)?.mistake(parameters).map {
          ParameterProblem(
            path: $0.path,
            sentence: "the parameters don't fit the handler '\(name)': \($0.sentence)")
        }
      },
      namedPlaces: { looksForPlaces ? handlers?.entry(named: $0)?.places ?? [] : [] },
      place: found, beside: Machine.coreCount > 1 ? JoinedThread.start : nil)
  }

  private static func found(at path: String) -> FoundPlace {
    do throws(SystemError) {
      switch try Files.status(path)?.kind {
      case .folder: return .folder
      case .file: return .file
      case .other: return .other
      case nil: return .nothing
      }
    } catch {
      return .hidden
    }
  }
}
