/// What `BACKGROUND_TASK_SIMULATE_EXPIRATION` asks for (LC12).
enum SimulatedExpiration {
  static let variable = "BACKGROUND_TASK_SIMULATE_EXPIRATION"

  /// A value that asks for nothing known.
  struct Mistake: Error, Equatable {
    var value: String
  }

  /// How long after its start every run is warned: `YES` is 5 s, a number is seconds; nil without a
  /// wish.
  static func read(_ value: String?) -> Result<Duration?, Mistake> {
    guard let value, value.uppercased() != "NO" else { return .success(nil) }
    if value.uppercased() == "YES" { return .success(.seconds(5)) }
    guard let seconds = Double(value), seconds > 0, seconds < 1e9 else {
      return .failure(Mistake(value: value))
    }
    return .success(.milliseconds(Int64(seconds * 1000)))
  }

  /// What the environment asks for.
  static func chosen(in context: CommandContext) throws(CommandFailure) -> Duration? {
    switch read(context.variable(variable)) {
    case .success(let delay): return delay
    case .failure(let mistake):
      throw .notDone(
        "\(variable) is '\(mistake.value)'", advice: "It is YES, NO or a number of seconds.")
    }
  }
}
