import JobModel

/// How the lines of a run that nobody watches are written.
enum LogFormat: String, CaseIterable, Sendable {
  case text
  case json
}

/// Turns records into lines: text or JSON, for a file or for the journal.
struct LogWriter {
  var format: LogFormat
  /// Whether standard error is the journal's: it stamps the time itself and reads a priority from
  /// `<N>` at the start of a line (sd-daemon(3)).
  var isJournal: Bool
  var zone: TimeZoneRules

  func line(_ record: LogRecord, at instant: WallInstant) -> String {
    switch format {
    case .text: textLine(record, at: instant)
    case .json: jsonLine(record, at: instant)
    }
  }

  private func textLine(_ record: LogRecord, at instant: WallInstant) -> String {
    var line = ""
    line.reserveCapacity(256)
    if isJournal {
      line += "<\(record.level.rawValue)>"
    } else {
      line += RFC3339.format(instant, offset: zone.offset(at: instant), fractionDigits: 3)
      line += " "
      line += record.level.name
      line += ": "
    }
    line += Self.singleLine(record.message)
    line += " ["
    line += record.event
    for field in record.fields {
      line += " "
      line += field.name
      line += "="
      line += Self.singleLine(Self.plain(field.value))
    }
    line += "]\n"
    return line
  }

  private func jsonLine(_ record: LogRecord, at instant: WallInstant) -> String {
    let event: [JSONValue.Member] = [
      .init("time", .text(RFC3339.format(instant, offset: 0, fractionDigits: 3))),
      .init("level", .text(record.level.name)),
      .init("event", .text(record.event)),
      .init("message", .text(record.message)),
    ]
    let fields = record.fields.map { JSONValue.Member($0.name, Self.json($0.value)) }
    let priority = isJournal ? "<\(record.level.rawValue)>" : ""
    return priority + JSONValue.object(event + fields).text() + "\n"
  }

  private static func json(_ value: LogRecord.Value) -> JSONValue {
    switch value {
    case .text(let text): .text(text)
    case .integer(let number): .integer(number)
    case .number(let number): .decimal(number)
    }
  }

  private static func plain(_ value: LogRecord.Value) -> String {
    switch value {
    case .text(let text):
      !isBare(text)
        ? "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" : text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    }
  }

  /// Whether a value needs no quotes; looked at as bytes, since a busy runner writes thousands of
  /// lines in a second.
  private static func isBare(_ text: String) -> Bool {
    if text.isEmpty { return false }
    let isPlain = text.utf8.allSatisfy {
      $0 > UInt8(ascii: " ") && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=")
        && $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]")
    }
    return isPlain || !text.contains { " \"=[]".contains($0) || $0.isNewline }
  }

  /// One event is one line, and moves no cursor of whoever reads it, whatever a job put into its
  /// title; looked at as bytes first, as above.
  private static func singleLine(_ text: String) -> String {
    let mayHoldControl = text.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xE2 }
    return mayHoldControl ? TerminalText.visible(text) : text
  }
}
