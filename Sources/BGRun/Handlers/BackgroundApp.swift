/// A program whose Swift handlers run as background tasks.
///
/// The conforming type is the program's entry point, and the program has every command of bgrun:
///
/// ```swift
/// @main
/// struct ColorFeed: BackgroundApp {
///   func register(in app: HandlerRegistry) {
///     app.handle("com.example.colorfeed.db-cleaning") { context in
///       try await clean(reporting: context.progress)
///     }
///   }
/// }
/// ```
///
/// `colorfeed run` then runs the jobs of its manifest. Each handler runs in a worker: the same
/// program, started again, so the type is made once in the runner and once in each worker.
public protocol BackgroundApp {
  /// Makes the program's state, before anything is registered or runs.
  init()

  /// Registers the handlers of the program's jobs.
  ///
  /// Those of appRefresh and processing jobs have to be registered before this returns (RG2); those
  /// of continuedProcessing jobs may also be registered later, when they are first needed (RG3).
  func register(in app: HandlerRegistry)
}

extension BackgroundApp {
  /// Runs the command that the process was started for and ends the process with its exit code.
  public static func main() {
    CommandLineTool.main(
      registering: {
        Self().register(in: .shared)
        return .shared
      })
  }
}
