import Synchronization

/// How far a run is and what it is at, told to whoever follows it.
///
/// Calls from several threads at once are fine.
public final class HandlerProgress: Sendable {
  /// What has changed; nil for what hasn't.
  public struct Change: Hashable, Sendable {
    /// 0…1.
    public var fractionCompleted: Double?
    /// What the task is.
    public var title: String?
    /// What it is doing.
    public var subtitle: String?

    /// A change of what is given.
    public init(
      fractionCompleted: Double? = nil, title: String? = nil, subtitle: String? = nil
    ) {
      self.fractionCompleted = fractionCompleted
      self.title = title
      self.subtitle = subtitle
    }
  }

  private struct State {
    var fraction = 0.0
    var title: String
    var subtitle: String
  }

  private let state: Mutex<State>
  private let onChange: @Sendable (Change) -> Void

  /// Makes a progress at 0.
  ///
  /// - Parameters:
  ///   - title: what the task is.
  ///   - subtitle: what it is doing.
  ///   - onChange: called after each change, on the thread that made it.
  public init(
    title: String = "", subtitle: String = "", onChange: @escaping @Sendable (Change) -> Void
  ) {
    state = Mutex(State(title: title, subtitle: subtitle))
    self.onChange = onChange
  }

  /// The part that is done, 0…1.
  public var fractionCompleted: Double { state.withLock { $0.fraction } }

  /// What the task is.
  public var title: String { state.withLock { $0.title } }

  /// What it is doing.
  public var subtitle: String { state.withLock { $0.subtitle } }

  /// Sets the part that is done; values outside of 0…1 are taken as the nearer end, and one that is
  /// no number changes nothing. Only a change counts against a stall (CP3).
  public func update(fractionCompleted fraction: Double) {
    guard !fraction.isNaN else { return }
    let fraction = min(max(fraction, 0), 1)
    let isChanged = state.withLock { state in
      defer { state.fraction = fraction }
      return state.fraction != fraction
    }
    if isChanged { onChange(Change(fractionCompleted: fraction)) }
  }

  /// Sets the part that is done as `completed` of `total` units; without units nothing changes.
  public func update(completed: Int, of total: Int) {
    guard total > 0 else { return }
    update(fractionCompleted: Double(completed) / Double(total))
  }

  /// Sets what is shown (CP2).
  public func update(title: String, subtitle: String) {
    let change = state.withLock { state -> Change in
      defer {
        state.title = title
        state.subtitle = subtitle
      }
      return Change(
        title: state.title == title ? nil : title,
        subtitle: state.subtitle == subtitle ? nil : subtitle)
    }
    if change != Change() { onChange(change) }
  }
}
