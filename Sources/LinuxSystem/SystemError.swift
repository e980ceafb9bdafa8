internal import Glibc

/// A call to the kernel that failed: what was attempted, on what, and the kernel's reason.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name, as its manual page has it.
  package let call: String
  /// The path, address or object that the call was about; empty where there is none.
  package let subject: String
  /// The error number.
  package let code: Int32

  package init(_ call: String, _ subject: String = "", code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// The error that the call just made left in `errno`.
  static func last(_ call: String, _ subject: String = "") -> SystemError {
    SystemError(call, subject, code: errno)
  }

  /// Whether somebody else holds what was asked for.
  package var isBusy: Bool { code == EWOULDBLOCK }

  /// The kernel's sentence for the error number, in English.
  package var reason: String { Self.reason(of: code) }

  /// The kernel's sentence for an error number, in English.
  package static func reason(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  package var description: String {
    subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
  }
}

/// Throws for the −1 of a libc call.
@discardableResult
func check(
  _ result: Int32, _ call: String, _ subject: String = ""
) throws(SystemError) -> Int32 {
  guard result >= 0 else { throw .last(call, subject) }
  return result
}

/// Throws for the negative error number of a call of CLinux.
@discardableResult
func checkNegated(
  _ result: Int32, _ call: String, _ subject: String = ""
) throws(SystemError) -> Int32 {
  guard result >= 0 else { throw SystemError(call, subject, code: -result) }
  return result
}
