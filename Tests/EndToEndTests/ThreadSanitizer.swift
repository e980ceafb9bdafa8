import Foundation
import Testing

/// `make test-tsan`, in which programs that crash don't end as they do otherwise: the sanitizer fails
/// in the copy of the process that would print the backtrace.
enum ThreadSanitizer {
  static let isOn = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
  static let reason: Comment =
    "a program that crashes under the thread sanitizer ends in its own way"
}
