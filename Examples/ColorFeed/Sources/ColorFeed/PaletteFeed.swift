import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Where palettes come from: a file, or an address.
struct PaletteFeed: Sendable {
  var address: String

  /// `$COLORFEED_FEED`, else the palettes that lie beside the app.
  static var configured: PaletteFeed {
    PaletteFeed(
      address: ProcessInfo.processInfo.environment["COLORFEED_FEED"] ?? "palettes.json")
  }

  func load() async throws -> [Palette] {
    let data =
      if let url = URL(string: address), url.scheme == "http" || url.scheme == "https" {
        try await download(url)
      } else {
        try Data(contentsOf: URL(fileURLWithPath: address))
      }
    return try JSONDecoder().decode([Palette].self, from: data)
  }

  /// A feed that doesn't answer fails the refresh long before the task's time limit; cancelling the
  /// Swift task ends the download at once.
  private func download(_ url: URL) async throws -> Data {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 10
    configuration.timeoutIntervalForResource = 20
    let session = URLSession(configuration: configuration)
    defer { session.finishTasksAndInvalidate() }
    let (data, response) = try await session.data(from: url)
    guard let status = (response as? HTTPURLResponse)?.statusCode, status == 200 else {
      throw ColorFeedError(description: "\(url) did not answer with 200")
    }
    return data
  }
}
