/// A program whose Swift handlers run as background tasks.
///
/// The conforming type is the program's entry point, and the program has every command of bgrun. It
/// registers handlers in code, or declares them in its body, or both:
///
/// ```swift
/// @main
/// struct ColorFeed: BackgroundApp {
///   func register(in app: HandlerRegistry) {
///     app.handle("com.example.colorfeed.db-cleaning") { context in
///       try await clean(reporting: context.progress)
///     }
///   }
///
///   var body: some Scene {
///     Handlers().backgroundTask(.appRefresh("com.example.colorfeed.refresh")) {
///       await refresh()
///     }
///   }
/// }
/// ```
///
/// `colorfeed run` then runs the jobs of its manifest. Each handler runs in a worker: the same
/// program, started again, so the type is made once in the runner and once in each worker.
public protocol BackgroundApp {
  /// What `body` is made of.
  associatedtype Body: Scene

  /// Makes the program's state, before anything is registered or runs.
  init()

  /// Registers the handlers of the program's jobs; by default none but those of `body`.
  ///
  /// Those of appRefresh and processing jobs have to be registered before this returns (RG2); those
  /// of continuedProcessing jobs may also be registered later, when they are first needed (RG3).
  func register(in app: HandlerRegistry)

  /// Scenes whose handlers are registered after `register` has returned; by default none.
  @SceneBuilder var body: Body { get }
}

extension BackgroundApp {
  /// Registers nothing.
  public func register(in app: HandlerRegistry) {}

  /// Runs the command that the process was started for and ends the process with its exit code.
  public static func main() {
    CommandLineTool.main(
      registering: {
        Self().registerHandlers(in: .shared)
        return .shared
      })
  }

  /// Registers every handler of the program, in either form.
  package func registerHandlers(in app: HandlerRegistry) {
    register(in: app)
    body.register(in: app)
  }
}

extension BackgroundApp where Body == Handlers {
  /// No scene.
  public var body: Handlers { Handlers() }
}
