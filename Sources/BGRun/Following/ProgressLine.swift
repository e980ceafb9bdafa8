import JobModel

/// One line that shows how far a run is: "Exporting  [#########           ] 45 %  9 of 20".
package struct ProgressLine: Hashable, Sendable {
  package var title: String
  /// 0…1; nil while the run has told of none.
  package var fraction: Double?
  package var subtitle: String?
  /// What is being done about the run, such as "asked to stop".
  package var note: String?

  package init(
    title: String, fraction: Double? = nil, subtitle: String? = nil, note: String? = nil
  ) {
    self.title = TerminalText.visible(title)
    self.fraction = fraction
    self.subtitle = subtitle.map(TerminalText.visible)
    self.note = note
  }

  /// - Parameter job: what the manifest says, which counts until the request or the task says
  ///   otherwise (CP2).
  init(of run: RunRecord, _ job: JobDefinition?) {
    var note: String?
    if let expiring = run.expiring {
      note = "stopping: \(expiring.reason.rawValue)"
    } else if run.stopRequested != nil {
      note = "asked to stop"
    }
    self.init(
      title: run.title ?? run.request.title ?? job?.title ?? run.request.identifier.text,
      fraction: run.progress, subtitle: run.subtitle ?? run.request.subtitle ?? job?.subtitle,
      note: note)
  }

  /// The line, never wider than the terminal: the percentage stays longest, then what is done about
  /// the run, the title, the bar and the subtitle.
  ///
  /// - Parameter columns: those of the terminal; nil is no limit.
  package func text(columns: Int?) -> String {
    let whole = Self.join([title, meter(cells: 20), subtitle, note])
    // The last column stays free: in it, some terminals begin the next line.
    guard let room = columns.map({ max(1, $0 - 1) }), TerminalText.width(of: whole) > room else {
      return whole
    }
    for cells in [10, 0] {
      let fixed = [meter(cells: cells), note].compactMap(\.self)
      let left = room - fixed.reduce(0) { $0 + TerminalText.width(of: $1) + 2 }
      guard left >= Self.leastWords || cells == 0 else { continue }
      let (title, subtitle) = words(in: left)
      return TerminalText.clipped(
        Self.join([title, meter(cells: cells), subtitle, note]), to: room)
    }
    return TerminalText.clipped(whole, to: room)
  }

  /// Columns that the words must have beside a bar.
  private static let leastWords = 16

  /// As much of title and subtitle as there is room for, the title first.
  private func words(in columns: Int) -> (title: String?, subtitle: String?) {
    guard columns > 0 else { return (nil, nil) }
    let title = TerminalText.clipped(title, to: columns)
    let left = columns - TerminalText.width(of: title) - 2
    guard let subtitle, left >= 6 else { return (title, nil) }
    return (title, TerminalText.clipped(subtitle, to: left))
  }

  /// The percentage, behind a bar of that many cells.
  private func meter(cells: Int) -> String? {
    guard let fraction else { return nil }
    let bounded = min(max(fraction.isFinite ? fraction : 0, 0), 1)
    let percent = "\(Int((bounded * 100).rounded(.down))) %"
    guard cells > 0 else { return percent }
    let full = Int((bounded * Double(cells)).rounded(.down))
    return "[" + String(repeating: "#", count: full)
      + String(repeating: " ", count: cells - full) + "] " + percent
  }

  private static func join(_ parts: [String?]) -> String {
    parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "  ")
  }
}
