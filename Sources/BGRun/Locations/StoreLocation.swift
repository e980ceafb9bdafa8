import Glibc
import LinuxSystem

/// Which state folder a command works with (manifest.md, "Store").
package struct StoreLocation: Equatable {
  /// Absolute.
  package var folder: String

  package init(folder: String) {
    self.folder = folder
  }

  /// The folder that somebody chose: `--state`, `BGRUN_STATE`, `STATE_DIRECTORY`.
  ///
  /// systemd lists several folders with colons; the first is the service's main one.
  package static func chosen(option: String?, in context: CommandContext) -> StoreLocation? {
    let systemd = context.variable("STATE_DIRECTORY")?.split(separator: ":").first.map(String.init)
    guard let folder = option ?? context.variable("BGRUN_STATE") ?? systemd else { return nil }
    return StoreLocation(folder: context.absolutePath(folder))
  }

  /// The folder of a program's store when nobody chose one.
  package static func usual(
    app: String, in context: CommandContext
  ) throws(CommandFailure) -> StoreLocation {
    StoreLocation(folder: try base(in: context) + "/" + app)
  }

  /// The folder for a runner: what somebody chose, else the program's own.
  package static func forRunning(
    option: String?, app: String, in context: CommandContext
  ) throws(CommandFailure) -> StoreLocation {
    if let chosen = chosen(option: option, in: context) { return chosen }
    return try usual(app: app, in: context)
  }

  /// The stores that exist under the base folder.
  package static func existing(in context: CommandContext) throws(CommandFailure) -> [String] {
    let base = try base(in: context)
    let names: [String]
    do {
      names = try Files.list(base)
    } catch  where error.isAbsence {
      return []
    } catch {
      throw .notDone("can't read the folder of the stores, \(base): \(error.reason)")
    }
    return names.map { "\(base)/\($0)" }.filter(Self.holdsStore)
  }

  /// Whether a store's file is in the folder.
  package static func holdsStore(_ folder: String) -> Bool {
    (try? Files.status("\(folder)/store.db")) ?? nil != nil
  }

  private static func base(in context: CommandContext) throws(CommandFailure) -> String {
    // The base directory specification has relative paths ignored.
    if let folder = context.variable("XDG_STATE_HOME"), folder.hasPrefix("/") {
      return "\(folder)/bgrun"
    }
    if context.isSuperuser { return "/var/lib/bgrun" }
    guard let home = context.variable("HOME") else {
      throw .notDone(
        "no folder for the store is known, because HOME isn't set",
        advice: "Name one with --state DIR or BGRUN_STATE.")
    }
    return "\(home)/.local/state/bgrun"
  }
}

extension SystemError {
  /// Whether the path simply isn't there.
  var isAbsence: Bool { code == ENOENT || code == ENOTDIR }
}
