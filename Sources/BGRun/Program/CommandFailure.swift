package import JobModel

/// Why a command ends early; the program's one funnel turns it into text and an exit code.
package enum CommandFailure: Error, Equatable {
  /// The command line says something that the table doesn't know.
  case usage(UsageError)
  /// It can't be done as asked: one sentence, then what to do, where that isn't plain.
  case notDone(String, advice: String? = nil)
  /// The store can't do its work (DU4).
  case store(StoreFailure)
  /// Findings that the command has already shown.
  case findings
  /// A state that this program should have made impossible.
  case fault(String)

  /// The code that the process ends with.
  package var exitCode: ExitCode {
    switch self {
    case .usage, .notDone, .store: .notDone
    case .findings: .findings
    case .fault: .internalFault
    }
  }

  /// The failure in one sentence, for a program that asked; findings have been shown already.
  package var sentence: String {
    switch self {
    case .usage(let error): error.problem
    case .notDone(let sentence, let advice):
      advice.map { "\(sentence). \($0)" } ?? sentence
    case .store(let failure): failure.sentence
    case .findings: "the manifest has errors, which were shown on the standard error"
    case .fault(let sentence): "internal fault: \(sentence)"
    }
  }
}

/// What is wrong with a command line, and the spelling that was probably meant.
package struct UsageError: Error, Equatable {
  /// What is wrong, without a full stop.
  package var problem: String
  /// What was probably meant, as it would be typed.
  package var suggestion: String?
  /// The command whose help tells more; nil for the overview.
  package var command: String?

  package init(_ problem: String, suggestion: String? = nil, command: String? = nil) {
    self.problem = problem
    self.suggestion = suggestion
    self.command = command
  }
}
