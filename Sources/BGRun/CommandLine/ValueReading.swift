import JobModel

extension ValueKind {
  /// Reads one value as the command line gives it.
  ///
  /// - Parameter subject: how an error names it: "'--limit'", "ID".
  package func read(
    _ text: String, for subject: String
  ) throws(UsageError) -> ParsedArguments.Value {
    switch self {
    case .text, .topic:
      return .text(text)
    case .path, .folder:
      guard !text.isEmpty else { throw UsageError("\(subject) is empty: it needs a path") }
      return .text(text)
    case .identifier:
      return .text(try identifier(text, for: subject))
    case .run:
      guard let number = Int64(text), number > 0 else {
        throw UsageError("\(subject) is the number of a run, not '\(text)'")
      }
      return .text(String(number))
    case .identifierOrRun:
      if let number = Int64(text), number > 0 { return .text(String(number)) }
      return .text(try identifier(text, for: subject))
    case .choice(let choices):
      guard choices.contains(text) else {
        throw UsageError(
          "\(subject) is \(Self.list(choices)), not '\(text)'",
          suggestion: SpellingDistance.nearest(to: text, among: choices))
      }
      return .text(text)
    case .count(let range):
      guard let number = Int(text), range.contains(number) else {
        let limits =
          range.upperBound == .max
          ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
        throw UsageError("\(subject) is a whole number \(limits), not '\(text)'")
      }
      return .count(number)
    case .duration:
      switch DurationText.parse(text) {
      case .success(let duration): return .duration(duration)
      case .failure(let mistake):
        throw UsageError(
          "\(subject) is '\(text)', but \(mistake.sentence)", suggestion: mistake.suggestion)
      }
    case .parameter:
      return try parameter(text, for: subject)
    case .progress:
      return try progress(text, for: subject)
    }
  }

  /// Identifiers of any form are let through: only the job set knows which are permitted (SB3).
  private func identifier(_ text: String, for subject: String) throws(UsageError) -> String {
    guard !text.isEmpty else { throw UsageError("\(subject) is empty: it needs an identifier") }
    return text
  }

  private func parameter(
    _ text: String, for subject: String
  ) throws(UsageError) -> ParsedArguments.Value {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw UsageError("\(subject) needs NAME=VALUE, not '\(text)'")
    }
    let value = String(text[text.index(after: equals)...])
    return .parameter(
      name: String(text[..<equals]), value: JSONValue(parsing: value) ?? .text(value))
  }

  private func progress(
    _ text: String, for subject: String
  ) throws(UsageError) -> ParsedArguments.Value {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let done = Double(parts[0]), let total = Double(parts[1]),
      done.isFinite, total.isFinite, total > 0, (0...total).contains(done)
    else {
      throw UsageError(
        "\(subject) is DONE/TOTAL with 0 ≤ DONE ≤ TOTAL, such as 3/10, not '\(text)'")
    }
    return .text(text)
  }

  private static func list(_ choices: [String]) -> String {
    guard let last = choices.last, choices.count > 1 else { return choices.first ?? "" }
    return choices.dropLast().joined(separator: ", ") + " or " + last
  }
}
