/// Why something couldn't be simulated: a sentence.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was attempted, why it can't be done, and what to do.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
