import JobManifest
import JobModel
import LinuxSystem

extension LoaderEnvironment {
  /// What the loader asks of this machine.
  ///
  /// - Parameter handlers: the program's own, where manifests are checked against them.
  static func machine(
    _ context: CommandContext, handlers: HandlerRegistry? = nil
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
      })
  }
}
