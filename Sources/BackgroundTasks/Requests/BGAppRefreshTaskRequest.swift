/// A request to refresh the program's content, in some seconds (LC3).
open class BGAppRefreshTaskRequest: BGTaskRequest {
  /// Makes a request for a job of kind appRefresh.
  public init(identifier: String) {
    super.init(identifier)
  }

  override func emptyCopy() -> BGTaskRequest { BGAppRefreshTaskRequest(identifier: identifier) }
}
