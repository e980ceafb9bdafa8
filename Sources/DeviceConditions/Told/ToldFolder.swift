package import JobModel
package import LinuxSystem

/// A folder in which each file tells the condition that it is named after.
package struct ToldFolder: Hashable, Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The one that belongs to a state directory.
  package static func of(stateDirectory: String) -> ToldFolder {
    ToldFolder("\(stateDirectory)/conditions")
  }

  /// The one for every runner of a machine.
  package static func ofMachine(under root: SystemRoot) -> ToldFolder {
    ToldFolder(root.absolute("/run/bgrun/conditions"))
  }

  /// What the files say, and what is wrong with those that say nothing; names with a dot in front
  /// are passed over.
  package func read() -> (told: [ToldCondition], mistakes: [String]) {
    var told: [ToldCondition] = []
    var mistakes: [String] = []
    for name in (try? Files.list(path)) ?? [] where !name.hasPrefix(".") {
      do throws(ToldCondition.Mistake) {
        guard let text = try? Files.text("\(path)/\(name)") else { continue }
        told.append(try ToldCondition(file: name, text))
      } catch {
        mistakes.append("\(path)/\(name): \(error.sentence)")
      }
    }
    return (told, mistakes)
  }

  /// Makes the folder, so that its files can be watched; one that is there is left as it is.
  package func make() throws(SystemError) {
    try Files.makeFolders(path)
  }

  /// Tells a condition to whoever watches the folder, which is made where there is none.
  ///
  /// - Throws: `SystemError` when the folder or the file can't be written.
  package func tell(_ name: String, _ text: String, until: WallInstant?) throws(SystemError) {
    try make()
    // Names with a dot in front are no conditions.
    try Files.replace(
      "\(path)/\(name)", with: Array(ToldCondition.fileText(text, until: until).utf8),
      by: "\(path)/.\(name).new")
  }

  /// Takes back what was told; false when nothing was.
  package func clear(_ name: String) throws(SystemError) -> Bool {
    let file = "\(path)/\(name)"
    guard try Files.status(file) != nil else { return false }
    try Files.remove(file)
    return true
  }
}
