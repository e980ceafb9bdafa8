// The file of the iOS app, unchanged: Foundation and Apple's BackgroundTasks are all it knows.
import BackgroundTasks
import Foundation

enum BackgroundHandlers {
  static let refresh = "com.example.colorfeed.refresh"
  static let cleaning = "com.example.colorfeed.db-cleaning"
  static let export = "com.example.colorfeed.export.images"

  /// Called before the app finishes launching.
  static func register() {
    let scheduler = BGTaskScheduler.shared
    scheduler.register(forTaskWithIdentifier: refresh, using: nil) { task in
      handleRefresh(task as! BGAppRefreshTask)
    }
    scheduler.register(forTaskWithIdentifier: cleaning, using: nil) { task in
      handleCleaning(task as! BGProcessingTask)
    }
    scheduler.register(forTaskWithIdentifier: export, using: nil) { task in
      handleExport(task as! BGContinuedProcessingTask)
    }
  }

  // MARK: Requests

  /// The iOS app calls it when it goes to the background; on Linux the manifest has a schedule too.
  static func scheduleCleaning() {
    let request = BGProcessingTaskRequest(identifier: cleaning)
    request.requiresNetworkConnectivity = false
    request.requiresExternalPower = true
    do {
      try BGTaskScheduler.shared.submit(request)
    } catch {
      print("Could not schedule database cleaning: \(error.localizedDescription)")
    }
  }

  /// The action of the button "Export"; on Linux a person types `ColorFeed start ID` instead.
  static func startExport() throws {
    let request = BGContinuedProcessingTaskRequest(
      identifier: export, title: "Exporting palettes", subtitle: "Preparing")
    request.strategy = .fail
    try BGTaskScheduler.shared.submit(request)
  }

  // MARK: Handlers

  private static func handleRefresh(_ task: BGAppRefreshTask) {
    let work = Task {
      do {
        let palettes = try await PaletteFeed.configured.load()
        let store = try PaletteStore.open()
        let added = try store.add(palettes)
        print("\(palettes.count) palettes in the feed, \(added) of them new")
        if try store.needsCleaning { scheduleCleaning() }
        await PaletteSnapshot().save(try store.palettes())
        task.setTaskCompleted(success: true)
      } catch {
        print("The feed could not be read: \(error)")
        task.setTaskCompleted(success: false)
      }
    }
    task.expirationHandler = { work.cancel() }
  }

  private static func handleCleaning(_ task: BGProcessingTask) {
    let cleaning = OperationQueue()
    cleaning.maxConcurrentOperationCount = 1
    let work = BlockOperation {
      do {
        let removed = try PaletteStore.open().clean()
        print("\(removed) old palettes removed, database compacted")
        task.setTaskCompleted(success: true)
      } catch {
        print("The database could not be cleaned: \(error)")
        task.setTaskCompleted(success: false)
      }
    }
    // SQLite keeps what is committed, whenever it is cut off.
    task.expirationHandler = {
      cleaning.cancelAllOperations()
      PaletteStore.interrupt()
    }
    cleaning.addOperation(work)
  }

  private static func handleExport(_ task: BGContinuedProcessingTask) {
    let stop = StopFlag()
    task.expirationHandler = { stop.set() }
    do {
      let palettes = try PaletteStore.open().palettes()
      let folder = try PaletteImage.makeFolder()
      task.progress.totalUnitCount = Int64(palettes.count)
      for palette in palettes where !stop.isSet {
        task.updateTitle(task.title, subtitle: palette.name)
        try PaletteImage(of: palette).write(to: folder)
        task.progress.completedUnitCount += 1
      }
      print("\(task.progress.completedUnitCount) of \(palettes.count) images in \(folder.path)")
      task.setTaskCompleted(success: !stop.isSet)
    } catch {
      print("The images could not be written: \(error)")
      task.setTaskCompleted(success: false)
    }
  }
}

/// Set by the expiration handler, on a queue of its own.
private final class StopFlag: @unchecked Sendable {
  private let lock = NSLock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}
