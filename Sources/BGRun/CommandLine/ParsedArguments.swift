package import JobModel

/// What a command line said, each value checked against the command's table.
package struct ParsedArguments: Equatable {
  /// One value in the form in which its command uses it.
  package enum Value: Equatable {
    case text(String)
    case count(Int)
    case duration(Duration)
    case parameter(name: String, value: JSONValue)
  }

  private var options: [String: [Value]] = [:]
  private var positional: [String: [Value]] = [:]
  /// The options with a text, in the order in which they were given.
  private var sequence: [GivenText] = []

  /// One option with its text.
  package struct GivenText: Equatable {
    package var name: String
    package var text: String
  }

  /// A line that said nothing.
  package init() {}

  /// Keeps one more value of an option.
  package mutating func add(_ option: Option, _ value: Value) {
    options[option.name, default: []].append(value)
    if case .text(let text) = value { sequence.append(GivenText(name: option.name, text: text)) }
  }

  /// Keeps one more value of an argument.
  package mutating func add(_ argument: Argument, _ value: Value) {
    positional[argument.name, default: []].append(value)
  }

  /// Whether the option was given.
  package func contains(_ option: Option) -> Bool { options[option.name] != nil }

  /// The text of an option; nil when it wasn't given.
  package func text(_ option: Option) -> String? { texts(option).last }

  /// The texts of a repeatable option, in order.
  package func texts(_ option: Option) -> [String] { Self.texts(options[option.name]) }

  /// What was given for these options, in order: for options that belong to the one before them.
  package func given(_ options: Option...) -> [GivenText] {
    sequence.filter { given in options.contains { $0.name == given.name } }
  }

  /// The text of an argument; nil when it wasn't given.
  package func text(_ argument: Argument) -> String? { texts(argument).last }

  /// The texts of a repeated argument, in order.
  package func texts(_ argument: Argument) -> [String] { Self.texts(positional[argument.name]) }

  /// The number of an option; nil when it wasn't given.
  package func count(_ option: Option) -> Int? {
    if case .count(let count) = options[option.name]?.last { count } else { nil }
  }

  /// The duration of an option; nil when it wasn't given.
  package func duration(_ option: Option) -> Duration? {
    if case .duration(let duration) = options[option.name]?.last { duration } else { nil }
  }

  /// The parameters in the order in which they were given.
  package func parameters(_ option: Option) -> [(name: String, value: JSONValue)] {
    (options[option.name] ?? []).compactMap {
      if case .parameter(let name, let value) = $0 { (name, value) } else { nil }
    }
  }

  private static func texts(_ values: [Value]?) -> [String] {
    (values ?? []).compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
