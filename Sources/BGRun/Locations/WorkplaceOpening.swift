import JobManifest
import JobModel
import LinuxSystem
import SQLiteStore

extension Workplace {
  /// Finds and opens what a command looks into, makes nothing, and names it on standard error.
  ///
  /// Without a manifest and a chosen folder it is the only store that there is.
  static func forReading(_ invocation: Invocation) throws(CommandFailure) -> Workplace {
    let search = WorkplaceSearch(invocation)
    let workplace = try search.open(isActing: false)
    let isEmpty = try workplace.read { store throws(StoreFailure) in
      try store.snapshots(of: nil, headLimit: 1)
    }.isEmpty
    invocation.context.errors.writeLine(
      "Store: \(workplace.folder)" + (isEmpty ? " (empty)" : ""))
    return workplace
  }

  /// Finds and opens what a command changes; the store is made where there is none (mode 0700).
  static func forActing(_ invocation: Invocation) throws(CommandFailure) -> Workplace {
    try WorkplaceSearch(invocation).open(isActing: true)
  }

  /// The same for a program that isn't a command: what it was told, else what its environment says.
  static func forActing(
    manifests: [String], state: String?, in context: CommandContext
  ) throws(CommandFailure) -> Workplace {
    try WorkplaceSearch(manifests: manifests, state: state, in: context).open(isActing: true)
  }
}

/// The search for a store and a job set that belong together.
private struct WorkplaceSearch {
  private let context: CommandContext
  private let manifest: ManifestLocation?
  private let chosen: StoreLocation?

  init(_ invocation: Invocation) {
    self.init(
      manifests: invocation.arguments.texts(.manifest), state: invocation.arguments.text(.state),
      in: invocation.context)
  }

  init(manifests: [String], state: String?, in context: CommandContext) {
    self.context = context
    manifest = ManifestLocation.find(given: manifests, in: context)
    chosen = StoreLocation.chosen(option: state, in: context)
  }

  func open(isActing: Bool) throws(CommandFailure) -> Workplace {
    if let chosen {
      if !isActing { try requireFolder(chosen) }
      return try open(chosen, isActing: isActing, declared: nil)
    }
    if let manifest {
      let declared = try JobSetReading(context).load(manifest)
      let app = declared.jobSet?.app ?? "default"
      let location = try StoreLocation.usual(app: app, in: context)
      return try open(location, isActing: isActing, declared: declared)
    }
    guard !isActing else { throw .noManifest(in: context) }
    return try open(onlyStore(), isActing: false, declared: nil)
  }

  /// A chosen manifest goes before the set that the store's runner runs, and that before a manifest
  /// that happens to lie about.
  private func open(
    _ location: StoreLocation, isActing: Bool, declared: LoadedSet?
  ) throws(CommandFailure) -> Workplace {
    let store: SQLiteStore?
    let stored: StoredJobSet?
    do throws(StoreFailure) {
      store =
        isActing
        ? try SQLiteStore(path: location.folder) : try SQLiteStore.open(existing: location.folder)
      stored = try store?.loadJobSet()
    } catch {
      throw .store(error)
    }
    var loaded = declared
    let reading = JobSetReading(context)
    if loaded == nil, let manifest, manifest.isChosen { loaded = try reading.load(manifest) }
    if loaded == nil, let stored { loaded = try reading.load(stored) }
    if loaded == nil, let manifest { loaded = try reading.load(manifest) }
    return Workplace(folder: location.folder, store: store, loaded: loaded)
  }

  private func requireFolder(_ location: StoreLocation) throws(CommandFailure) {
    guard !Files.isFolder(location.folder) else { return }
    throw .notDone("there is no state folder \(location.folder)")
  }

  private func onlyStore() throws(CommandFailure) -> StoreLocation {
    let stores = try StoreLocation.existing(in: context)
    guard stores.count <= 1 else {
      throw .notDone(
        "there are several stores and no manifest that names one",
        advice: "Name one with --state DIR:\n" + stores.map { "  \($0)" }.joined(separator: "\n"))
    }
    guard let store = stores.first else { throw .noManifest(in: context) }
    return StoreLocation(folder: store)
  }
}

extension CommandFailure {
  /// Nobody named a manifest and none of the usual places has one.
  static func noManifest(in context: CommandContext) -> CommandFailure {
    let places = ManifestLocation.usualPlaces(context).joined(separator: ", ")
    let stores = (try? StoreLocation.existing(in: context)) ?? []
    let list = stores.map { "  \($0)" }.joined(separator: "\n")
    return .notDone(
      "no manifest was found: there is none of \(places)",
      advice: "Name one with --manifest PATH"
        + (list.isEmpty ? "." : ", or a store with --state DIR:\n" + list))
  }
}
