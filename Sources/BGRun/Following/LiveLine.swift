import JobModel

/// Text for somebody who follows a task: lines that stay, and on a terminal one line at the end
/// that is drawn again in place.
struct LiveLine {
  private let sink: TextSink
  private let style: TextStyle
  private var drawn = ""

  init(sink: TextSink, style: TextStyle) {
    self.sink = sink
    self.style = style
  }

  /// Writes a line that stays.
  mutating func say(_ text: String) {
    erase()
    sink.writeLine(text)
    sink.flush()
  }

  /// Draws the line that moves; where nobody can see it move, it becomes one that stays.
  mutating func draw(_ text: String) {
    guard text != drawn else { return }
    guard sink.isTerminal else {
      drawn = text
      sink.writeLine(text)
      sink.flush()
      return
    }
    erase()
    drawn = text
    sink.write(String(text.prefix((sink.columns ?? 80) - 1)))
    sink.flush()
  }

  /// Takes the moving line away.
  mutating func erase() {
    guard !drawn.isEmpty else { return }
    drawn = ""
    if sink.isTerminal { sink.write("\r\u{1B}[K") }
  }

  /// "com.example.export  [#########           ] 45 %  Exporting: 9 of 20"
  static func progress(of run: RunRecord, title: String) -> String {
    var text = title
    if let fraction = run.progress {
      let width = 20
      let full = Int((min(max(fraction, 0), 1) * Double(width)).rounded(.down))
      text += "  [" + String(repeating: "#", count: full)
      text += String(repeating: " ", count: width - full) + "] \(Int(fraction * 100)) %"
    }
    if let subtitle = run.subtitle ?? run.request.subtitle { text += "  \(subtitle)" }
    if let expiring = run.expiring {
      text += "  stopping: \(expiring.reason.rawValue)"
    } else if run.stopRequested != nil {
      text += "  asked to stop"
    }
    return text
  }
}
