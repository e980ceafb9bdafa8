import BGRun
import LinuxSystem

private let turns = Turns()

/// Gives a test the scheduler of this process for itself, with these tasks permitted.
///
/// ```swift
/// @Test func `a refresh asks for the next one`() async throws {
///   try await withBackgroundTasks(permitting: [.appRefresh("com.example.refresh")]) { simulator in
///     registerHandlers()
///     let task = try await simulator.launch("com.example.refresh")
///     #expect(try await task.end() == .succeeded)
///     #expect(await BGTaskScheduler.shared.pendingTaskRequests().count == 1)
///   }
/// }
/// ```
///
/// Tests that run side by side take turns. At the end every handler is forgotten.
///
/// - Parameter body: the test.
/// - Throws: what `body` throws, or `SimulationError` when the tasks can't be permitted.
public func withBackgroundTasks<Result>(
  permitting tasks: [PermittedTask], isolation: isolated (any Actor)? = #isolation,
  _ body: (BackgroundTaskSimulator) async throws -> Result
) async throws -> Result {
  try await withSimulator(
    manifest: { folder throws(SimulationError) in
      let path = "\(folder)/tasks.yaml"
      do throws(SystemError) {
        try Files.replace(path, with: Array(tasks.manifest.utf8))
      } catch {
        throw SimulationError("the permitted tasks can't be written down: \(error)")
      }
      return path
    }, body)
}

/// Gives a test the scheduler of this process for itself, with what a manifest permits.
///
/// - Parameters:
///   - manifest: path of the manifest, or of a folder of them, that the program runs with.
///   - body: the test.
/// - Throws: what `body` throws, or `SimulationError` when the manifest can't be used.
public func withBackgroundTasks<Result>(
  manifest: String, isolation: isolated (any Actor)? = #isolation,
  _ body: (BackgroundTaskSimulator) async throws -> Result
) async throws -> Result {
  try await withSimulator(manifest: { _ in manifest }, body)
}

private func withSimulator<Result>(
  manifest: (_ folder: String) throws(SimulationError) -> String,
  isolation: isolated (any Actor)? = #isolation,
  _ body: (BackgroundTaskSimulator) async throws -> Result
) async throws -> Result {
  await turns.take()
  defer { turns.giveBack() }
  let folder = try TemporaryFolder()
  let simulator = BackgroundTaskSimulator(manifest: try manifest(folder.path), folder: folder.path)
  simulator.watchMisuse()
  defer {
    BackgroundTaskSimulator.reset()
    withExtendedLifetime(folder) {}
  }
  try await simulator.requireManifest()
  return try await body(simulator)
}
