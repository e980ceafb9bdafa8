/// A request for work of some minutes, when the machine suits it (LC3).
open class BGProcessingTaskRequest: BGTaskRequest {
  /// Whether a network must be there (PL3), beside what the manifest says (SB12).
  open var requiresNetworkConnectivity = false

  /// Whether the machine must be on external power (PL2), beside what the manifest says (SB12).
  open var requiresExternalPower = false

  /// Makes a request for a job of kind processing.
  public init(identifier: String) {
    super.init(identifier)
  }

  override func emptyCopy() -> BGTaskRequest {
    let copy = BGProcessingTaskRequest(identifier: identifier)
    copy.requiresNetworkConnectivity = requiresNetworkConnectivity
    copy.requiresExternalPower = requiresExternalPower
    return copy
  }
}
