import LinuxSystem

/// Which manifests a command works with (manifest.md, "Manifests").
package struct ManifestLocation: Equatable {
  /// Who named them.
  package enum Origin: Equatable {
    /// `--manifest`, or PATH.
    case commandLine
    /// `BGRUN_MANIFEST`.
    case environment
    /// The first of the usual places that exists.
    case found
  }

  /// As the user gave them, so that diagnostics name them so.
  package var paths: [String]
  /// Who named them.
  package var origin: Origin

  /// Whether somebody chose them: a chosen manifest goes before a store's own job set.
  package var isChosen: Bool { origin != .found }

  package init(paths: [String], origin: Origin) {
    self.paths = paths
    self.origin = origin
  }

  /// The manifests by the order of manifest.md; nil when there are none.
  ///
  /// - Parameter given: the paths on the command line.
  package static func find(given: [String], in context: CommandContext) -> ManifestLocation? {
    if !given.isEmpty { return ManifestLocation(paths: given, origin: .commandLine) }
    if let path = context.variable("BGRUN_MANIFEST") {
      return ManifestLocation(paths: [path], origin: .environment)
    }
    let found = usualPlaces(context).first { place in
      (try? Files.status(context.absolutePath(place))) ?? nil != nil
    }
    return found.map { ManifestLocation(paths: [$0], origin: .found) }
  }

  /// Where manifests are looked for when nobody names one.
  package static func usualPlaces(_ context: CommandContext) -> [String] {
    var places = ["jobs"]
    // The base directory specification has relative paths ignored.
    if let folder = context.variable("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
      places.append("\(folder)/bgrun/jobs")
    } else if let home = context.variable("HOME") {
      places.append("\(home)/.config/bgrun/jobs")
    }
    places.append("/etc/bgrun/jobs")
    return places
  }
}
