// On Apple's systems BackgroundTasks brings Foundation along, so an app's file may name it alone.
import BackgroundTasks

public enum FeedDelay {
  public static func refresh(after delay: TimeInterval) -> BGAppRefreshTaskRequest {
    let request = BGAppRefreshTaskRequest(identifier: "com.example.feed.refresh")
    request.earliestBeginDate = Date(timeIntervalSinceReferenceDate: delay)
    return request
  }
}
