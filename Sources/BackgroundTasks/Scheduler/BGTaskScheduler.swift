import BGRun
public import Dispatch
// As on Apple's systems, who imports this module has Foundation too.
@_exported public import Foundation

/// Registers launch handlers and takes requests, as Apple's class of the same name does; the
/// manifest takes the place of `BGTaskSchedulerPermittedIdentifiers`.
///
/// What is different on Linux is told in docs/ios.md.
open class BGTaskScheduler: NSObject, @unchecked Sendable {
  private static let only = BGTaskScheduler(())

  /// The scheduler of this program.
  open class var shared: BGTaskScheduler { only }

  /// What this machine has for continued tasks: `.gpu` where there is a render node (CP7).
  open class var supportedResources: BGContinuedProcessingTaskRequest.Resources {
    MachineConditions.hasGPU ? .gpu : []
  }

  private init(_: Void) {
    super.init()
    // BG5: the main queue stays on the main thread, where iOS has it.
    WorkerMain.keepMainThread {
      RunLoop.main.run()
      dispatchMain()
    }
  }

  /// Registers what runs a task, before the program has launched (RG2); handlers of continued tasks
  /// also later (RG3).
  ///
  /// Registering too late or twice ends the program with a sentence (RG2, RG4).
  ///
  /// - Parameters:
  ///   - identifier: one that the manifest permits; of a pattern, a concrete one (RG7).
  ///   - queue: where the handler is called; nil is a serial queue of its own (RG5).
  ///   - launchHandler: begins the work; it has to see to it that the task is completed (LC2).
  /// - Returns: false when the manifest doesn't permit the identifier; the log says why (RG1).
  @_disfavoredOverload
  @discardableResult
  open func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    TaskRegistration(identifier, at: .unknown, on: queue, launchHandler).perform()
  }

  /// The same, as the compiler takes it for a call: it knows its place, which misuse names (RG4).
  ///
  /// - Parameters:
  ///   - fileID: left out.
  ///   - line: left out.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    fileID: String = #fileID, line: UInt = #line, launchHandler: @escaping (BGTask) -> Void
  ) -> Bool {
    let site = CallSite(file: fileID, line: line)
    return TaskRegistration(identifier, at: site, on: queue, launchHandler).perform()
  }
}
