/// Text for somebody who follows a task: lines that stay, and on a terminal one line at the end
/// that is drawn again in place.
struct LiveLine {
  private let sink: TextSink
  /// Whether a line can be taken back.
  private let moves: Bool
  private var drawn = ""

  /// - Parameter environment: a terminal that calls itself "dumb" can't take a line back.
  init(sink: TextSink, environment: [String: String]) {
    self.sink = sink
    moves = sink.isTerminal && environment["TERM"] != "dumb"
  }

  /// Writes a line that stays.
  mutating func say(_ text: String) {
    erase()
    sink.writeLine(text)
    sink.flush()
  }

  /// Draws the line that moves; where nobody can see it move, it becomes one that stays.
  mutating func draw(_ line: ProgressLine) {
    let text = line.text(columns: moves ? sink.columns ?? 80 : nil)
    guard text != drawn else { return }
    guard moves else {
      drawn = text
      sink.writeLine(text)
      sink.flush()
      return
    }
    erase()
    drawn = text
    sink.write(text)
    sink.flush()
  }

  /// Asks something, in a line of its own that the answer ends.
  mutating func ask(_ question: String) {
    erase()
    sink.write(question + " ")
    sink.flush()
  }

  /// Ends a line that was asked in and not answered.
  mutating func endQuestion() {
    sink.writeLine()
  }

  /// Takes the moving line away.
  mutating func erase() {
    guard !drawn.isEmpty else { return }
    drawn = ""
    guard moves else { return }
    sink.write("\r\u{1B}[K")
    sink.flush()
  }
}
