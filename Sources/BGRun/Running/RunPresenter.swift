import JobEngine
import JobModel
import LinuxSystem

/// Shows a run to whoever is there: a live display on a terminal, otherwise a line for each event.
final class RunPresenter {
  private enum Form {
    case live(LiveDisplay, refresh: MonotonicTimer)
    case lines(LogWriter)
  }

  /// Progress is drawn at most this often.
  private static let drawingPause = Duration.milliseconds(100)

  private let sink: TextSink
  private let now: () -> Now
  private var form: Form
  private var lastDrawing = MonotonicInstant(nanoseconds: 0)
  private var pacing = LinePacing()

  /// - Parameters:
  ///   - format: what `--log-format` says; nil chooses by the reader.
  ///   - loop: draws the elapsed times again each second, only while something runs.
  init(
    _ context: CommandContext, format: LogFormat?, style: TextStyle, zone: TimeZoneRules,
    loop: EventLoop
  ) throws(SystemError) {
    sink = context.errors
    now = context.now
    let isJournal = context.variable("JOURNAL_STREAM") != nil && !context.errors.isTerminal
    form = .lines(LogWriter(format: format ?? .text, isJournal: isJournal, zone: zone))
    guard format == nil, context.errors.isTerminal else { return }
    let timer = try MonotonicTimer(on: loop) { [unowned self] in redraw() }
    form = .live(
      LiveDisplay(
        width: context.errors.columns ?? 80, hasColour: style.isColored, zone: zone),
      refresh: timer)
  }

  func show(_ notice: Notice, at now: Now) {
    switch form {
    case .live(var display, let refresh):
      sink.write(display.show(notice, at: now))
      let pause: Duration = notice.isProgress ? Self.drawingPause : .seconds(1)
      let next = max(lastDrawing + pause, now.monotonic)
      refresh.set(nanoseconds: display.isLive ? next.nanoseconds : nil)
      form = .live(display, refresh: refresh)
    case .lines(let writer):
      guard pacing.isWorthALine(notice, at: now.monotonic) else { return }
      sink.write(writer.line(NoticeWording.record(of: notice, zone: writer.zone), at: now.wall))
    }
  }

  /// Shows a record that is no notice of the engine, such as readiness.
  func show(_ record: LogRecord) {
    switch form {
    case .live(var display, let refresh):
      let now = now()
      sink.write(display.say(record.message, at: now))
      refresh.set(nanoseconds: display.isLive ? now.monotonic.nanoseconds + 1_000_000_000 : nil)
      form = .live(display, refresh: refresh)
    case .lines(let writer):
      sink.write(writer.line(record, at: now().wall))
    }
  }

  /// Takes the live lines away until the next thing is shown, for what somebody else writes.
  func makeRoom() {
    if case .live(var display, let refresh) = form {
      sink.write(display.makeRoom())
      refresh.set(nanoseconds: nil)
      form = .live(display, refresh: refresh)
    }
  }

  /// Takes the live lines away; what is written afterwards stands below the events.
  func close() {
    if case .live(var display, let refresh) = form {
      sink.write(display.close())
      refresh.set(nanoseconds: nil)
      form = .live(display, refresh: refresh)
    }
  }

  private func redraw() {
    guard case .live(var display, let refresh) = form else { return }
    let now = now()
    lastDrawing = now.monotonic
    sink.write(display.redraw(at: now))
    refresh.set(nanoseconds: display.isLive ? now.monotonic.nanoseconds + 1_000_000_000 : nil)
    form = .live(display, refresh: refresh)
  }
}

extension Notice {
  fileprivate var isProgress: Bool {
    if case .runProgressed = self { true } else { false }
  }
}
