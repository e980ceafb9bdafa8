import FoundationEssentials
package import JobManifest
package import JobModel
import Synchronization
package import TaskHosts

/// The handlers that a program offers, by their names.
///
/// A job finds its handler by the manifest's `handler`, or else by its own identifier.
public final class HandlerRegistry: Sendable {
  /// A handler as it is kept.
  package struct Entry: Sendable {
    package let site: CallSite
    /// What is wrong with parameters, one JSON object; nil when they fit.
    package let mistake: @Sendable (_ parameters: String) -> ParameterMistake?
    /// Starts a run; its end is told through the run.
    package let start: @Sendable (HandlerRun) -> Void
    /// The parameters that name places of the machine.
    package let places: [NamedPlace]
    /// The only kind of job that it handles; nil is any.
    package let kind: JobKind?

    package init(
      site: CallSite, mistake: @escaping @Sendable (_ parameters: String) -> ParameterMistake?,
      start: @escaping @Sendable (HandlerRun) -> Void, places: [NamedPlace] = [],
      kind: JobKind? = nil
    ) {
      self.site = site
      self.mistake = mistake
      self.start = start
      self.places = places
      self.kind = kind
    }

    /// An entry that takes no parameters.
    package init(site: CallSite, start: @escaping @Sendable (HandlerRun) -> Void) {
      self.init(site: site, mistake: Self.mistake(NoParameters.self), start: start)
    }

    /// What is wrong with having it handle a job of that kind; nil when it may (LC1).
    func mistake(handling identifier: String, of kind: JobKind) -> String? {
      guard let own = self.kind, own != kind else { return nil }
      return "\(identifier) is a job of kind \(kind.rawValue), and its handler at \(site) is for "
        + "\(own.rawValue): change the job's kind, or register it with app.handle"
    }

    fileprivate static func mistake<Parameters: Decodable & Sendable>(
      _ type: Parameters.Type
    ) -> @Sendable (_ parameters: String) -> ParameterMistake? {
      { text in
        do throws(ParameterMistake) {
          _ = try ParameterMistake.decode(Parameters.self, from: text)
          return nil
        } catch {
          return error
        }
      }
    }
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// What the manifest permits, once launch has finished (RG2).
    var launchedWith: [HandlerPermission]?
    /// Whether the program's commands finish its launch, and not the first submit.
    var isLaunchedByCommands = false
  }

  /// The registry of this program: commands and workers look here.
  public static let shared = HandlerRegistry()

  private let state = Mutex(State())

  /// Makes a registry beside the program's own, for a `BackgroundService` with handlers of its own.
  public init() {}

  /// Registers a handler that takes no parameters.
  ///
  /// The run succeeds when `body` returns and fails with handlerThrew when it throws. At expiration
  /// the Swift task is cancelled; returning then is still a success (ST4). Registering a name twice
  /// (RG4), a pattern (RG7), or too late (RG2) is a programming error that ends the program.
  ///
  /// - Parameters:
  ///   - name: the manifest's `handler`, by default the job's identifier.
  ///   - body: the work; in a worker it may begin on the thread that read the launch, and whatever resumes
  ///     later is on Swift's global pool.
  public func handle(
    _ name: String, fileID: String = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (HandlerContext<NoParameters>) async throws -> Void
  ) {
    handle(name, parameters: NoParameters.self, fileID: fileID, line: line, body)
  }

  /// Registers a handler whose parameters, the manifest's `with`, are decoded for each run.
  ///
  /// Parameters of the manifest that don't fit are an error of `validate` and of `run`, before
  /// anything starts; those that come with a submission and don't fit fail their run with handlerThrew.
  ///
  /// - Parameters:
  ///   - name: the manifest's `handler`, by default the job's identifier.
  ///   - parameters: the type that `with` is decoded to, as JSON.
  ///   - body: the work; in a worker it may begin on the thread that read the launch, and whatever resumes
  ///     later is on Swift's global pool.
  public func handle<Parameters: Decodable & Sendable>(
    _ name: String, parameters: Parameters.Type, fileID: String = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (HandlerContext<Parameters>) async throws -> Void
  ) {
    let entry = Entry(
      site: CallSite(file: fileID, line: line),
      mistake: Entry.mistake(Parameters.self),
      start: { run in run.perform(Parameters.self, body) },
      places: (Parameters.self as? any NamesPlaces.Type)?.places ?? [])
    register(entry, under: name)
  }

  /// Registers a handler for jobs of one kind (LC11).
  func handle(
    _ name: String, of kind: JobKind, at site: CallSite,
    _ body: @escaping @Sendable (HandlerContext<NoParameters>) async throws -> Void
  ) {
    let entry = Entry(
      site: site, mistake: Entry.mistake(NoParameters.self),
      start: { run in run.perform(NoParameters.self, body) }, kind: kind)
    register(entry, under: name)
  }

  /// Registers an entry: the way of every kind of handler.
  ///
  /// - Returns: false when it was misused and a test has replaced the trap.
  @discardableResult
  package func register(_ entry: Entry, under name: String) -> Bool {
    guard !JobIdentifier(name).isWildcard else {
      Misuse.stop(
        "\(entry.site): \(name) is a pattern of the manifest and can't be handled itself; "
          + "register each identifier that it permits")
      return false
    }
    let refusal = state.withLock { state -> String? in
      if let earlier = state.entries[name] {
        return "\(entry.site): a handler for \(name) is already registered at \(earlier.site)"
      }
      if let permissions = state.launchedWith, !permissions.mayRegisterLate(name) {
        return "\(entry.site): All launch handlers must be registered before application finishes "
          + "launching; \(name) came later"
      }
      state.entries[name] = entry
      return nil
    }
    if let refusal { Misuse.stop(refusal) }
    return refusal == nil
  }

  /// The handler of a name; nil when none is registered.
  package func entry(named name: String) -> Entry? {
    state.withLock { $0.entries[name] }
  }

  /// The registered names, sorted.
  package var names: [String] {
    state.withLock { $0.entries.keys.sorted() }
  }

  /// From now on only handlers of continuedProcessing jobs may be registered (RG2, RG3).
  package func finishLaunching(permitting permissions: [HandlerPermission]) {
    state.withLock { $0.launchedWith = permissions }
  }

  /// The same where it hasn't been done yet: at the first submit of a program without commands, which
  /// has no other moment for it (RG2).
  package func finishLaunchingAtFirstUse(permitting permissions: [HandlerPermission]) {
    state.withLock { state in
      guard state.launchedWith == nil, !state.isLaunchedByCommands else { return }
      state.launchedWith = permissions
    }
  }

  /// Leaves it to the program's commands to finish the launch: what it submits while it registers its
  /// handlers doesn't.
  package func leaveLaunchToCommands() {
    state.withLock { $0.isLaunchedByCommands = true }
  }

  /// Forgets every handler, for tests.
  package func reset() {
    state.withLock { $0 = State() }
  }
}

extension [HandlerPermission] {
  /// RG3; a name that the manifest doesn't know harms nobody.
  fileprivate func mayRegisterLate(_ name: String) -> Bool {
    allSatisfy { $0.handler != name || $0.kind == .continuedProcessing }
  }
}
