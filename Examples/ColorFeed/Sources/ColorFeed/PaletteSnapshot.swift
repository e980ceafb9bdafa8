import Foundation

#if canImport(UIKit)
  import UIKit
  private typealias Application = UIApplication
#else
  import BGRun
  private typealias Application = BackgroundApplication
#endif

/// All palettes in one file, for other programs: written after a refresh, whose task doesn't wait for it.
@MainActor
final class PaletteSnapshot {
  private var task = UIBackgroundTaskIdentifier.invalid

  /// Begins to write; the program is kept alive until the file is there, or its time is over.
  func save(_ palettes: [Palette]) {
    task = Application.shared.beginBackgroundTask(withName: "snapshot") { self.end() }
    guard task != .invalid else { return }
    Task {
      do {
        try await Self.write(palettes)
      } catch {
        print("The snapshot could not be written: \(error)")
      }
      end()
    }
  }

  private func end() {
    guard task != .invalid else { return }
    Application.shared.endBackgroundTask(task)
    task = .invalid
  }

  private nonisolated static func write(_ palettes: [Palette]) async throws {
    let file = try DataFolder.make().appendingPathComponent("snapshot.json")
    // A reader sees the old palettes or the new ones, wherever the write is cut off.
    try JSONEncoder().encode(palettes).write(to: file, options: .atomic)
  }
}
