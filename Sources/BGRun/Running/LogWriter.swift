import FoundationEssentials
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
    let fields = record.fields.map { "\($0.name)=\(Self.plain($0.value))" }
    let tail = ([record.event] + fields).joined(separator: " ")
    let text = "\(Self.singleLine(record.message)) [\(Self.singleLine(tail))]"
    guard !isJournal else { return "<\(record.level.rawValue)>\(text)\n" }
    let time = RFC3339.format(instant, offset: zone.offset(at: instant), fractionDigits: 3)
    return "\(time) \(record.level.name): \(text)\n"
  }

  private func jsonLine(_ record: LogRecord, at instant: WallInstant) -> String {
    var object: [String: LogRecord.Value] = [
      "time": .text(RFC3339.format(instant, offset: 0, fractionDigits: 3)),
      "level": .text(record.level.name),
      "event": .text(record.event),
      "message": .text(record.message),
    ]
    for field in record.fields {
      object[field.name] = field.value
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Text, integers and finite numbers always encode.
    guard let bytes = try? encoder.encode(object) else { return "" }
    return (isJournal ? "<\(record.level.rawValue)>" : "") + String(decoding: bytes, as: UTF8.self)
      + "\n"
  }

  private static func plain(_ value: LogRecord.Value) -> String {
    switch value {
    case .text(let text):
      text.isEmpty || text.contains(where: { " \"=[]".contains($0) || $0.isNewline })
        ? "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" : text
    case .integer(let number): String(number)
    case .number(let number): String(number)
    }
  }

  /// One event is one line, whatever a job put into its title.
  private static func singleLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

extension LogRecord.Value: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let number): try container.encode(number)
    case .number(let number): try container.encode(number.isFinite ? number : 0)
    }
  }
}
