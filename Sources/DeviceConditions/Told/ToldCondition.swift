package import JobModel

/// A condition's value as a person or a script tells it, for machines whose state no kernel file and
/// no service shows.
package struct ToldCondition: Hashable, Sendable {
  /// What is told, by the condition's manifest key.
  package enum Value: Hashable, Sendable {
    case requiresExternalPower(Bool)
    case network(Connectivity)
    case requiresIdle(UserActivity)
    case minimumBattery(percent: Int)
    case lowPowerMode(Bool)
    case requiredResources(hasGPU: Bool)
  }

  package var value: Value
  /// From this instant on it doesn't count; nil: until it is cleared.
  package var until: WallInstant?

  /// The conditions that can be told, by their manifest keys, with the values that each takes and what
  /// they say of the machine.
  package static let vocabulary: [(name: String, values: String, meaning: String)] = [
    ("requiresExternalPower", "true or false", "whether it is on external power"),
    (
      "network", "none, metered, unmetered or any",
      "the network that it has; any where nobody knows whether that costs"
    ),
    ("requiresIdle", "true or false", "whether nobody uses it"),
    ("minimumBattery", "a whole number from 0 to 100", "its battery's charge in percent"),
    ("lowPowerMode", "on or off", "whether it saves power"),
    ("requiredResources", "gpu or none", "what it offers"),
  ]

  /// Why a text tells nothing, as one sentence.
  package struct Mistake: Error, Hashable {
    package var sentence: String
  }

  package init(_ name: String, _ text: String, until: WallInstant? = nil) throws(Mistake) {
    guard let entry = Self.vocabulary.first(where: { $0.name == name }) else {
      throw Mistake(
        sentence: "'\(name)' is no condition that can be told: use "
          + Self.vocabulary.map(\.name).joined(separator: ", "))
    }
    guard let value = Value(name, text) else {
      throw Mistake(sentence: "'\(text)' isn't a value of \(name): use \(entry.values)")
    }
    self.value = value
    self.until = until
  }

  /// Reads a file of a folder of told conditions: the value, and on a second line perhaps
  /// "until 2026-11-30T12:00:00Z".
  package init(file name: String, _ text: String) throws(Mistake) {
    let lines = text.split(separator: "\n").map { $0.trimmed }
    guard let first = lines.first, !first.isEmpty else {
      throw Mistake(sentence: "'\(name)' is empty: write a value to it, or remove it")
    }
    var until: WallInstant?
    for line in lines.dropFirst() where !line.isEmpty {
      guard line.hasPrefix("until "), let instant = RFC3339.parse(String(line.dropFirst(6))) else {
        throw Mistake(
          sentence: "'\(line)' can't stand in '\(name)': only a line such as "
            + "'until 2026-11-30T12:00:00Z' can")
      }
      until = instant
    }
    try self.init(name, first, until: until)
  }

  /// The content of the file that tells it.
  package static func fileText(_ text: String, until: WallInstant?) -> String {
    text + "\n" + (until.map { "until \(RFC3339.format($0))\n" } ?? "")
  }
}

extension ToldCondition.Value {
  fileprivate init?(_ name: String, _ text: String) {
    let truth: Bool? =
      switch text {
      case "true", "yes", "on", "1": true
      case "false", "no", "off", "0": false
      default: nil
      }
    switch (name, text) {
    case ("requiresExternalPower", _):
      guard let truth else { return nil }
      self = .requiresExternalPower(truth)
    case ("network", "none"): self = .network(.none)
    case ("network", "metered"): self = .network(.metered)
    case ("network", "unmetered"): self = .network(.unmetered)
    case ("network", "any"): self = .network(.connected)
    case ("requiresIdle", _):
      guard let truth else { return nil }
      self = .requiresIdle(truth ? .unattended : .active)
    case ("minimumBattery", _):
      guard let percent = Int(text), (0...100).contains(percent) else { return nil }
      self = .minimumBattery(percent: percent)
    case ("lowPowerMode", _):
      guard let truth else { return nil }
      self = .lowPowerMode(truth)
    case ("requiredResources", "gpu"): self = .requiredResources(hasGPU: true)
    case ("requiredResources", "none"): self = .requiredResources(hasGPU: false)
    default: return nil
    }
  }
}

extension Substring {
  /// Without spaces and carriage returns at its ends.
  fileprivate var trimmed: String {
    var rest = self
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    return String(rest)
  }
}
