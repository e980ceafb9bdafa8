import LinuxSystem

/// The way back from the store's thread to a runner on its loop: the reference travels through
/// other threads, which never look at it.
struct ReturnAddress: @unchecked Sendable {
  private weak var runner: Runner?
  private let poster: Poster

  init(_ runner: Runner, poster: Poster) {
    self.runner = runner
    self.poster = poster
  }

  /// Runs `body` on the loop's thread, unless the runner is gone.
  func post(_ body: @escaping @Sendable (Runner) -> Void) {
    poster.post {
      if let runner { body(runner) }
    }
  }
}
