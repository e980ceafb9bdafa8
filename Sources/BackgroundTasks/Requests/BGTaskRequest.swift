public import Foundation

/// A request to run a task once; its subclasses say which kind (SB5).
open class BGTaskRequest: NSObject, NSCopying {
  /// The task's identifier.
  public let identifier: String

  /// The task doesn't start earlier; when it starts is not promised, and continued tasks ignore it
  /// (SB4).
  open var earliestBeginDate: Date?

  init(_ identifier: String) {
    self.identifier = identifier
  }

  /// An equal request that changes of this one don't reach.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = emptyCopy()
    copy.earliestBeginDate = earliestBeginDate
    return copy
  }

  /// A request of the same class with what the class adds.
  func emptyCopy() -> BGTaskRequest { BGTaskRequest(identifier) }

  /// The class and the identifier.
  open override var description: String { "\(type(of: self))(\(identifier))" }
}
