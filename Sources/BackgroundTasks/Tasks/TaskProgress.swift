import Dispatch
import Foundation
import Synchronization

/// The progress of a continued task: tells changes of its own units as they are made, and reads
/// those of its children, of which Foundation on Linux doesn't tell.
final class TaskProgress: Progress, @unchecked Sendable {
  fileprivate struct State {
    var last = 0.0
    var hasChanged = false
    var isFinished = false
    var children: [Child] = []
    var timer: (any DispatchSourceTimer)?
  }

  fileprivate struct Child {
    weak var progress: Progress?

    var isDone: Bool { progress.map { $0.isFinished || $0.isCancelled } ?? true }
  }

  /// Five readings a second: a person sees no more, and a stall takes many seconds.
  private static let period = DispatchTimeInterval.milliseconds(200)
  private static let readings = DispatchQueue(label: "bgrun.BGContinuedProcessingTask.progress")

  private let state = Mutex(State())
  private let tell: @Sendable (Double) -> Void

  /// - Parameter tell: takes each changed fraction.
  init(_ tell: @escaping @Sendable (Double) -> Void) {
    self.tell = tell
    super.init(parent: nil, userInfo: nil)
  }

  /// Whether the fraction has ever changed.
  var hasChanged: Bool { state.withLock { $0.hasChanged } }

  override var completedUnitCount: Int64 {
    get { super.completedUnitCount }
    set {
      super.completedUnitCount = newValue
      read()
    }
  }

  override var totalUnitCount: Int64 {
    get { super.totalUnitCount }
    set {
      super.totalUnitCount = newValue
      read()
    }
  }

  override func addChild(_ child: Progress, withPendingUnitCount inUnitCount: Int64) {
    super.addChild(child, withPendingUnitCount: inUnitCount)
    read()
    state.withLock { state in
      guard !state.isFinished else { return }
      state.children.append(Child(progress: child))
      guard state.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: Self.readings)
      timer.schedule(deadline: .now() + Self.period, repeating: Self.period)
      timer.setEventHandler { [weak self] in self?.readChildren() }
      timer.activate()
      state.timer = timer
    }
  }

  /// Reads the progress for the last time.
  ///
  /// - Returns: whether it hadn't been finished before.
  func finish() -> Bool {
    read()
    return state.withLock { state in
      defer {
        state.isFinished = true
        state.stopReading()
      }
      return !state.isFinished
    }
  }

  private func readChildren() {
    read()
    state.withLock { state in
      state.children.removeAll(where: \.isDone)
      if state.children.isEmpty { state.stopReading() }
    }
  }

  private func read() {
    let fraction = fractionCompleted
    let isNews = state.withLock { state in
      guard !state.isFinished, fraction != state.last else { return false }
      state.last = fraction
      state.hasChanged = true
      return true
    }
    if isNews { tell(fraction) }
  }
}

extension TaskProgress.State {
  fileprivate mutating func stopReading() {
    timer?.cancel()
    timer = nil
    children = []
  }
}
