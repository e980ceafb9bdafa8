public import Foundation
import JobModel

extension BGTaskScheduler {
  /// The domain of the errors (SB6).
  public static let errorDomain = "BGTaskSchedulerErrorDomain"

  /// Why a request wasn't taken: a code of Apple's, and a sentence that says which of its causes
  /// applies (SB6).
  public struct Error: CustomNSError, Hashable, @unchecked Sendable {
    /// Apple's codes.
    public enum Code: Int, Hashable, Sendable {
      /// The job is switched off, or the store can't be used (SB10, DU4).
      case unavailable = 1
      /// As many requests of the kind are pending as may be (SB2).
      case tooManyPendingTaskRequests = 2
      /// The manifest doesn't permit it (SB3, CP1).
      case notPermitted = 3
      /// A continued task with strategy `.fail` can't start at once (SB7).
      case immediateRunIneligible = 4

      /// Whether an error is one of the scheduler's with this code: for `catch` and `case`.
      public static func ~= (code: Self, error: any Swift.Error) -> Bool {
        (error as? BGTaskScheduler.Error)?.code == code
      }
    }

    /// The job is switched off, or the store can't be used.
    public static var unavailable: Code { .unavailable }
    /// As many requests of the kind are pending as may be.
    public static var tooManyPendingTaskRequests: Code { .tooManyPendingTaskRequests }
    /// The manifest doesn't permit it.
    public static var notPermitted: Code { .notPermitted }
    /// A continued task with strategy `.fail` can't start at once.
    public static var immediateRunIneligible: Code { .immediateRunIneligible }

    /// Apple's domain.
    public static var errorDomain: String { BGTaskScheduler.errorDomain }

    /// Which of the causes it is.
    public let code: Code
    /// As Foundation has it: dictionaries of any values are compared there.
    private let stored: NSError

    /// Makes an error as the scheduler throws it, for tests of what catches it.
    ///
    /// - Parameters:
    ///   - code: the cause.
    ///   - userInfo: its `NSLocalizedDescriptionKey` is the sentence.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      self.code = code
      let sentence: [String: Any] = [NSLocalizedDescriptionKey: "\(code)"]
      stored = NSError(
        domain: Self.errorDomain, code: code.rawValue,
        userInfo: sentence.merging(userInfo) { _, given in given })
    }

    /// The code's number.
    public var errorCode: Int { code.rawValue }

    /// The sentence, under `NSLocalizedDescriptionKey`, and what else the error was made with.
    public var errorUserInfo: [String: Any] { stored.userInfo }

    /// The same, under the name that errors of Apple's frameworks have for it.
    public var userInfo: [String: Any] { stored.userInfo }

    /// The sentence.
    public var localizedDescription: String { stored.localizedDescription }
  }
}

extension BGTaskScheduler.Error: CustomStringConvertible {
  /// The code and the sentence, for logs.
  public var description: String { "\(code): \(localizedDescription)" }
}

extension BGTaskScheduler.Error {
  /// The error that an answer tells; nil for one that tells none.
  init?(refusalIn answer: SchedulerAnswer) {
    switch answer {
    case .submitted, .cancelled, .pending: return nil
    case .refused(let refusal):
      let code: Code =
        switch refusal.code {
        case .unavailable: .unavailable
        case .tooManyPendingTaskRequests: .tooManyPendingTaskRequests
        case .notPermitted: .notPermitted
        case .immediateRunIneligible: .immediateRunIneligible
        }
      self.init(code, userInfo: [NSLocalizedDescriptionKey: refusal.sentence])
    case .failed(let sentence):
      self.init(.unavailable, userInfo: [NSLocalizedDescriptionKey: sentence])
    }
  }
}
