import JobModel

/// A kind of background work that a scene can handle: what its action is given, and what it returns.
public struct BackgroundTask<Request: Sendable, Response: Sendable>: Sendable {
  let identifier: String
  let kind: JobKind
  let request: @Sendable (HandlerContext<NoParameters>) -> Request
}

extension BackgroundTask where Request == Void, Response == Void {
  /// The runs of an appRefresh job.
  public static func appRefresh(_ identifier: String) -> Self {
    Self(identifier: identifier, kind: .appRefresh, request: { _ in })
  }
}

extension Scene {
  /// Handles a background task (LC11); that its job is of another kind in the manifest is an error of
  /// `run`, before anything starts (LC1).
  ///
  /// The run succeeds when `action` returns and fails with handlerThrew when it throws. At expiration
  /// its Swift task is cancelled; returning then is still a success (ST4).
  ///
  /// ```swift
  /// var body: some Scene {
  ///   Handlers().backgroundTask(.appRefresh("com.example.colorfeed.refresh")) {
  ///     await refresh()
  ///   }
  /// }
  /// ```
  public func backgroundTask<Request: Sendable, Response: Sendable>(
    _ task: BackgroundTask<Request, Response>,
    action: @escaping @Sendable (Request) async throws -> Response,
    fileID: String = #fileID, line: UInt = #line
  ) -> some Scene {
    TaskScene(scene: self) { app in
      app.handle(task.identifier, of: task.kind, at: CallSite(file: fileID, line: line)) {
        context in
        _ = try await action(task.request(context))
      }
    }
  }
}

/// A scene with one more handler.
private struct TaskScene<Base: Scene>: Scene {
  let scene: Base
  let add: (HandlerRegistry) -> Void

  func register(in app: HandlerRegistry) {
    scene.register(in: app)
    add(app)
  }
}
