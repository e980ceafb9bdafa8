public import FoundationEssentials
import JobModel
import LinuxSystem

/// A request to run a job once, as a program makes it.
///
/// It may only tighten what the manifest says of the job: conditions add up, and the later date
/// wins (SB12).
public struct TaskRequest: Sendable {
  /// What to do when a condition is unmet at the due time (SB7).
  public enum Strategy: Sendable {
    /// Wait for the conditions.
    case queue
    /// Record that it was skipped.
    case skip
    /// End it at once; for a continued task the submission fails with `immediateRunIneligible`.
    case fail
  }

  /// The network that the run needs (PL3).
  public enum Network: Sendable {
    case notRequired
    case any
    case unmetered
  }

  /// The job's identifier; a concrete one, where the manifest has a pattern (CP8).
  public var identifier: String
  /// Requests with other keys stand beside each other; of one key only one waits (SB1).
  public var key: String
  /// Parameters as one JSON object; nil leaves the manifest's `with`.
  public private(set) var parametersJSON: String?
  /// The run doesn't start earlier; continued tasks ignore it (SB4).
  public var earliestBeginDate: Date?
  /// Whether the machine must be on external power.
  public var requiresExternalPower = false
  /// The network that must be there.
  public var network = Network.notRequired
  /// Whether a graphics processor must be there; only for continued tasks (CP7).
  public var requiresGPU = false
  /// What to do when a condition is unmet; nil follows the manifest.
  public var strategy: Strategy?
  /// What the person sees of a continued task; nil leaves the manifest's (CP2).
  public var title: String?
  /// What it is doing.
  public var subtitle: String?
  /// Whether a person asked for it just now: a continued task needs that (CP1). What a program in the
  /// foreground of its terminal submits, or a run that a person started, counts as that too.
  public var isUserInitiated = false

  /// Makes a request with the manifest's parameters.
  public init(identifier: String, key: String = "") {
    self.identifier = identifier
    self.key = key
  }

  /// Sets parameters of its own, in place of the manifest's `with`.
  ///
  /// - Throws: what the encoder throws, for a value that can't be a JSON object.
  public mutating func setParameters(_ parameters: some Encodable) throws {
    let data = try JSONEncoder().encode(parameters)
    parametersJSON = String(decoding: data, as: UTF8.self)
  }
}

extension TaskRequest {
  var submission: SubmissionRequest {
    var request = SubmissionRequest(identifier: JobIdentifier(identifier))
    request.key = key
    request.parameters = parametersJSON
    request.earliestBegin = earliestBeginDate.map { WallInstant($0) }
    request.requiresExternalPower = requiresExternalPower
    switch network {
    case .notRequired: request.network = .notRequired
    case .any: request.network = .any
    case .unmetered: request.network = .unmetered
    }
    request.requiredResources = requiresGPU ? [.gpu] : []
    switch strategy {
    case .queue: request.strategy = .queue
    case .skip: request.strategy = .skip
    case .fail: request.strategy = .fail
    case nil: request.strategy = nil
    }
    request.title = title
    request.subtitle = subtitle
    request.isUserInitiated = isUserInitiated || Terminal.isOwnGroupInForeground
    return request
  }

  init(_ request: SubmissionRequest) {
    self.init(identifier: request.identifier.text, key: request.key)
    parametersJSON = request.parameters
    earliestBeginDate = request.earliestBegin.map { Date($0) }
    requiresExternalPower = request.requiresExternalPower
    switch request.network {
    case .notRequired: network = .notRequired
    case .any: network = .any
    case .unmetered: network = .unmetered
    }
    requiresGPU = request.requiredResources.contains(.gpu)
    switch request.strategy {
    case .queue: strategy = .queue
    case .skip: strategy = .skip
    case .fail: strategy = .fail
    case nil: strategy = nil
    }
    title = request.title
    subtitle = request.subtitle
    isUserInitiated = request.isUserInitiated
  }
}
