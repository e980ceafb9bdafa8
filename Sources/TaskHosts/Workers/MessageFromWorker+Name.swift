extension MessageFromWorker {
  /// For the sentence about one that came at the wrong time.
  var name: String {
    switch self {
    case .ready: "ready"
    case .progressed: "progress of another run"
    case .completed: "the completion of another run"
    case .ask: "a question"
    case .holding: "the begin of background tasks"
    case .released: "the end of background tasks"
    case .leaked: "a report of background tasks"
    }
  }
}
