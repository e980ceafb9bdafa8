/// A request to go on with work that a person has just started and follows (CP1).
open class BGContinuedProcessingTaskRequest: BGTaskRequest {
  /// What to do when the task can't start at once.
  public enum SubmissionStrategy: Int, Hashable, Sendable {
    /// Refuse it with `immediateRunIneligible` (SB7).
    case fail = 0
    /// Let it wait for its turn (CP6).
    case queue = 1
  }

  /// What a task needs of the machine beside its processor.
  public struct Resources: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Takes any bits; those that exist are the static members.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// A graphics processor (CP7); `BGTaskScheduler.supportedResources` tells whether there is one.
    public static var gpu: Resources { Resources(rawValue: 1 << 0) }
  }

  /// What the person sees of the task.
  open var title: String

  /// What it is doing.
  open var subtitle: String

  /// What to do when it can't start at once.
  open var strategy = SubmissionStrategy.queue

  /// What it needs of the machine.
  open var requiredResources: Resources = []

  /// Makes a request for a job of kind continuedProcessing.
  ///
  /// - Parameters:
  ///   - identifier: a concrete one, where the manifest has a pattern (CP8).
  ///   - title: what the person sees of the task.
  ///   - subtitle: what it is doing.
  public init(identifier: String, title: String, subtitle: String) {
    self.title = title
    self.subtitle = subtitle
    super.init(identifier)
  }

  override func emptyCopy() -> BGTaskRequest {
    let copy = BGContinuedProcessingTaskRequest(
      identifier: identifier, title: title, subtitle: subtitle)
    copy.strategy = strategy
    copy.requiredResources = requiredResources
    return copy
  }
}
