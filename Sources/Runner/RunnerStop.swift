import JobEngine

/// Stops a runner from other threads: in good order, what runs being warned (PL14).
package struct RunnerStop: Sendable {
  private let runner: ReturnAddress

  init(_ runner: ReturnAddress) {
    self.runner = runner
  }

  /// Asks for the stop; once is enough, and a runner that is gone doesn't mind.
  package func callAsFunction() {
    runner.post { $0.stop(.graceful) }
  }
}
