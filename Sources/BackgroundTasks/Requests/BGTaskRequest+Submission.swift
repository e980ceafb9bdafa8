import BGRun
import Foundation
package import JobModel
import LinuxSystem

extension BGTaskRequest {
  /// The request as it is asked for; a continued one is a person's wish where the program is in the
  /// foreground of its terminal (CP1).
  package var submission: SubmissionRequest {
    var request = SubmissionRequest(identifier: JobIdentifier(identifier))
    request.hasApplePendingLimits = true
    request.earliestBegin = earliestBeginDate.map { WallInstant($0) }
    switch self {
    case is BGAppRefreshTaskRequest: request.kind = .appRefresh
    case let processing as BGProcessingTaskRequest:
      request.kind = .processing
      request.requiresExternalPower = processing.requiresExternalPower
      request.network = processing.requiresNetworkConnectivity ? .any : .notRequired
    case let continued as BGContinuedProcessingTaskRequest:
      request.kind = .continuedProcessing
      request.title = continued.title
      request.subtitle = continued.subtitle
      request.requiredResources = continued.requiredResources.contains(.gpu) ? [.gpu] : []
      switch continued.strategy {
      case .fail: request.strategy = .fail
      case .queue: request.strategy = .queue
      }
      request.isUserInitiated = Terminal.isOwnGroupInForeground
    default: break
    }
    return request
  }

  /// The request as Apple's interface shows it, of the class of its kind.
  static func make(_ request: SubmissionRequest) -> BGTaskRequest {
    let identifier = request.identifier.text
    let made: BGTaskRequest
    switch request.kind {
    case .appRefresh: made = BGAppRefreshTaskRequest(identifier: identifier)
    case .processing:
      let processing = BGProcessingTaskRequest(identifier: identifier)
      processing.requiresExternalPower = request.requiresExternalPower
      processing.requiresNetworkConnectivity = request.network != .notRequired
      made = processing
    case .continuedProcessing:
      let continued = BGContinuedProcessingTaskRequest(
        identifier: identifier, title: request.title ?? "", subtitle: request.subtitle ?? "")
      continued.requiredResources = request.requiredResources.contains(.gpu) ? .gpu : []
      continued.strategy = request.strategy == .fail ? .fail : .queue
      made = continued
    case nil: made = BGTaskRequest(identifier)
    }
    made.earliestBeginDate = request.earliestBegin.map { Date($0) }
    return made
  }
}
