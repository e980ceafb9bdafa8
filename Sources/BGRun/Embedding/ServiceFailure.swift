import JobModel

extension BackgroundService {
  /// Why jobs can't be run, or no longer.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is to be mended.
    public enum Code: Sendable {
      /// There is no manifest, or it has errors; the description holds them with their places.
      case manifest
      /// Jobs of the manifest have no handler, or one for another kind of job; the description names them
      /// (RG6, LC1).
      case missingHandler
      /// The store can't be used (DU4).
      case store
      /// The system refused something, or a variable has a value that means nothing.
      case environment
    }

    /// Which of them it is.
    public let code: Code
    /// What was attempted, why it can't be done, what to do about it.
    public let description: String
  }
}

extension BackgroundService.Failure {
  /// - Parameters:
  ///   - shown: what was written while it was attempted: the diagnostics of a manifest.
  ///   - code: what is to be mended where the failure doesn't say.
  init(_ failure: CommandFailure, shown: String, otherwise code: Code = .environment) {
    switch failure {
    case .findings:
      self.init(code: .manifest, description: "the manifest can't be used:\n\(shown)")
    case .store(let failure): self.init(code: .store, description: failure.sentence)
    case .usage, .notDone, .fault:
      self.init(code: code, description: failure.sentence)
    }
  }

  static func missing(_ identifiers: [String]) -> Self {
    Self(
      code: .missingHandler,
      description: "no handler is registered for \(identifiers.joined(separator: ", ")): "
        + "register it before run(), or give the job a command or shell")
  }

  static func mistaken(_ sentences: [String]) -> Self {
    Self(code: .missingHandler, description: sentences.joined(separator: "; "))
  }
}
