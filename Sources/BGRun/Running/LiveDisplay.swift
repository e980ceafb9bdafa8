import JobEngine
import JobModel

/// What a person at a terminal sees of a run: a line for each event that matters, and beneath them
/// one live line for each running job, with its progress.
///
/// The display is a value: it takes notices and yields the bytes to write.
struct LiveDisplay {
  private struct Line {
    var run: RunNumber
    var name: String
    var startedAt: MonotonicInstant
    var fraction: Double?
    var title: String?
    var subtitle: String?
  }

  var width: Int
  var hasColour: Bool
  var zone: TimeZoneRules
  private var lines: [Line] = []
  private var drawn = 0

  init(width: Int, hasColour: Bool, zone: TimeZoneRules) {
    self.width = width
    self.hasColour = hasColour
    self.zone = zone
  }

  /// Whether something moves, so that the elapsed times have to be drawn again each second.
  var isLive: Bool { !lines.isEmpty }

  /// The bytes that show `notice`; progress, which can come in thousands, is shown by the next
  /// `redraw`.
  mutating func show(_ notice: Notice, at now: Now) -> String {
    switch notice {
    case .runStarted(let run, let identifier, let key, _):
      lines.append(
        Line(
          run: run, name: key.isEmpty ? identifier.text : "\(identifier) [\(key)]",
          startedAt: now.monotonic))
      return redraw(at: now)
    case .runProgressed(let run, let report):
      guard let index = lines.firstIndex(where: { $0.run == run }) else { return "" }
      lines[index].fraction = report.fraction ?? lines[index].fraction
      lines[index].title = report.title ?? lines[index].title
      lines[index].subtitle = report.subtitle ?? lines[index].subtitle
      return ""
    case .runEnded(let ended):
      lines.removeAll { $0.run == ended.run }
      let isGood = ended.outcome == .succeeded
      return permanent(
        mark: isGood ? "✓" : "✗", colour: isGood ? 32 : 31,
        NoticeWording.record(of: notice, zone: zone),
        at: now)
    case .runStalled, .runWarned, .runKilled, .runOverran, .overstaying, .anchorReset,
      .clockImplausible:
      return permanent(mark: "!", colour: 33, NoticeWording.record(of: notice, zone: zone), at: now)
    case .storeFailed, .leaked:
      return permanent(mark: "✗", colour: 31, NoticeWording.record(of: notice, zone: zone), at: now)
    case .waiting, .rowWithoutRun, .gatesPassedBy, .assumed, .clockTrusted, .storeRecovered,
      .reloaded, .stopping, .finishingInBackground:
      return permanent(mark: "·", colour: 36, NoticeWording.record(of: notice, zone: zone), at: now)
    }
  }

  /// The bytes that show a line from outside the engine, above the live ones.
  mutating func say(_ text: String, at now: Now) -> String {
    above(TerminalText.visible(text), at: now)
  }

  /// The bytes that show a line as it is, above the live ones.
  private mutating func above(_ line: String, at now: Now) -> String {
    erased() + line + "\n" + drawLines(at: now)
  }

  /// The live lines again, with the time that has passed.
  mutating func redraw(at now: Now) -> String {
    erased() + drawLines(at: now)
  }

  /// The bytes that take the live lines away, until the next that show something.
  mutating func makeRoom() -> String { erased() }

  /// The bytes that take the live lines away, at the end.
  mutating func close() -> String {
    lines = []
    return erased()
  }

  private mutating func permanent(mark: String, colour: Int, _ record: LogRecord, at now: Now)
    -> String
  {
    let shown = hasColour ? "\u{1B}[\(colour)m\(mark)\u{1B}[0m" : mark
    return above("\(shown) \(TerminalText.visible(record.message))", at: now)
  }

  /// Moves to the first live line and clears to the end of the screen.
  private mutating func erased() -> String {
    defer { drawn = 0 }
    return drawn == 0 ? "" : "\u{1B}[\(drawn)A\r\u{1B}[J"
  }

  private mutating func drawLines(at now: Now) -> String {
    drawn = lines.count
    return lines.map { text(of: $0, at: now) + "\n" }.joined()
  }

  private func text(of line: Line, at now: Now) -> String {
    let elapsed = (now.monotonic - line.startedAt).components.seconds
    let clock = "\(elapsed / 60):\(elapsed % 60 < 10 ? "0" : "")\(elapsed % 60)"
    var parts = ["▸ \(line.name)", "run \(line.run)", clock]
    if let fraction = line.fraction {
      parts.append(Self.bar(fraction, cells: 20))
    }
    let words = [line.title, line.subtitle].compactMap { $0 }.filter { !$0.isEmpty }
    if !words.isEmpty { parts.append(words.joined(separator: ": ")) }
    // A line that wraps would break the count of lines to erase.
    return TerminalText.clipped(
      TerminalText.visible(parts.joined(separator: "  ")), to: max(width - 1, 10))
  }

  /// A progress bar with its percentage: `[#####···············]  25 %`.
  static func bar(_ fraction: Double, cells: Int) -> String {
    let bounded = min(max(fraction.isFinite ? fraction : 0, 0), 1)
    let filled = Int((bounded * Double(cells)).rounded(.down))
    let percent = String(Int((bounded * 100).rounded(.down)))
    let padded = String(repeating: " ", count: 3 - percent.count) + percent
    return "[" + String(repeating: "#", count: filled)
      + String(repeating: "·", count: cells - filled) + "] \(padded) %"
  }
}
