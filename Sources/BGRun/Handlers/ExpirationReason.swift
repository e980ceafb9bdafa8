import JobModel

/// Why a run was warned (LC4): the time limit, or the manifest's key of a condition that was lost.
public struct ExpirationReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name that every message, `history` and `why` use.
  public let rawValue: String

  /// Takes any name; the reasons that exist are the static members.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  init(_ reason: Reason) {
    rawValue = reason.rawValue
  }

  /// The name.
  public var description: String { rawValue }

  /// The job's time limit was reached (LC3).
  public static let timeLimit = Self(.timeLimit)
  /// External power went away (PL4).
  public static let requiresExternalPower = Self(.requiresExternalPower)
  /// The required network went away (PL4).
  public static let network = Self(.network)
  /// The machine is in use again (PL4).
  public static let requiresIdle = Self(.requiresIdle)
  /// The battery's charge fell below the minimum (PL4).
  public static let minimumBattery = Self(.minimumBattery)
  /// Free space fell below the minimum (PL4).
  public static let minimumFreeSpace = Self(.minimumFreeSpace)
  /// Low power mode came on (PL4).
  public static let lowPowerMode = Self(.lowPowerMode)
  /// A required resource, such as the GPU, went away (CP7).
  public static let requiredResources = Self(.requiredResources)
  /// The run uses more memory than its limit.
  public static let memoryLimit = Self(.memoryLimit)
  /// A continued task made no progress for too long (CP3).
  public static let progressStalled = Self(.progressStalled)
  /// A person cancelled it (CP5).
  public static let userCancelled = Self(.userCancelled)
  /// The runner stops.
  public static let shutdown = Self(.shutdown)
  /// Its place was needed (CP4).
  public static let preempted = Self(.preempted)
}
