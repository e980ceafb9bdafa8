import JobModel

extension SchedulerQuestion {
  private enum Kind: UInt8 { case submit = 1, cancel, pending }

  func write(to writer: inout WireWriter) {
    switch self {
    case .submit(let request):
      writer.write(Kind.submit.rawValue)
      request.write(to: &writer)
    case .cancel(let identifier):
      writer.write(Kind.cancel.rawValue)
      writer.write(identifier?.text) { $0.write($1) }
    case .pending: writer.write(Kind.pending.rawValue)
    }
  }

  init(from reader: inout WireReader) throws(WireMistake) {
    let kind = try reader.read(UInt8.self)
    switch Kind(rawValue: kind) {
    case .submit: self = .submit(try SubmissionRequest(from: &reader))
    case .cancel: self = .cancel(try reader.readOptionalText().map { JobIdentifier($0) })
    case .pending: self = .pending
    case nil: throw WireMistake("a question of kind \(kind)")
    }
  }
}

extension SchedulerAnswer {
  private enum Kind: UInt8 { case submitted = 1, refused, cancelled, pending, failed }

  func write(to writer: inout WireWriter) {
    switch self {
    case .submitted(let request):
      writer.write(Kind.submitted.rawValue)
      writer.write(request.value)
    case .refused(let error):
      writer.write(Kind.refused.rawValue)
      writer.write(Int64(error.code.rawValue))
      writer.write(error.sentence)
    case .cancelled(let count):
      writer.write(Kind.cancelled.rawValue)
      writer.write(Int64(count))
    case .pending(let requests):
      writer.write(Kind.pending.rawValue)
      writer.write(UInt32(clamping: requests.count))
      for request in requests { request.write(to: &writer) }
    case .failed(let sentence):
      writer.write(Kind.failed.rawValue)
      writer.write(sentence)
    }
  }

  init(from reader: inout WireReader) throws(WireMistake) {
    let kind = try reader.read(UInt8.self)
    switch Kind(rawValue: kind) {
    case .submitted: self = .submitted(RequestID(try reader.read()))
    case .refused:
      let code = Int(try reader.read(Int64.self))
      guard let code = SubmissionError.Code(rawValue: code) else {
        throw WireMistake("a code that doesn't exist")
      }
      self = .refused(SubmissionError(code, try reader.readText()))
    case .cancelled: self = .cancelled(Int(try reader.read(Int64.self)))
    case .pending:
      // Not reserved by the count: it may be garbage.
      var requests: [SubmissionRequest] = []
      for _ in 0..<(try reader.read(UInt32.self)) {
        requests.append(try SubmissionRequest(from: &reader))
      }
      self = .pending(requests)
    case .failed: self = .failed(try reader.readText())
    case nil: throw WireMistake("an answer of kind \(kind)")
    }
  }
}

extension SubmissionRequest {
  func write(to writer: inout WireWriter) {
    writer.write(identifier.text)
    writer.write(key)
    writer.write(kind?.rawValue) { $0.write($1) }
    writer.write(earliestBegin) { $0.write($1.microseconds) }
    writer.write(requiresExternalPower)
    writer.write(network.rawValue)
    writer.write(requiredResources.contains(.gpu))
    writer.write(strategy?.rawValue) { $0.write($1) }
    writer.write(parameters) { $0.write($1) }
    writer.write(title) { $0.write($1) }
    writer.write(subtitle) { $0.write($1) }
    writer.write(isUserInitiated)
    writer.write(hasApplePendingLimits)
  }

  init(from reader: inout WireReader) throws(WireMistake) {
    self.init(identifier: JobIdentifier(try reader.readText()))
    key = try reader.readText()
    kind = try reader.readOptionalName()
    earliestBegin = try reader.readOptional { reader throws(WireMistake) in
      WallInstant(microseconds: try reader.read())
    }
    requiresExternalPower = try reader.readFlag()
    network = try reader.readName()
    requiredResources = try reader.readFlag() ? [.gpu] : []
    strategy = try reader.readOptionalName()
    parameters = try reader.readOptionalText()
    title = try reader.readOptionalText()
    subtitle = try reader.readOptionalText()
    isUserInitiated = try reader.readFlag()
    hasApplePendingLimits = try reader.readFlag()
  }
}

extension WireReader {
  fileprivate mutating func readName<Name: RawRepresentable<String>>() throws(WireMistake) -> Name {
    let text = try readText()
    guard let name = Name(rawValue: text) else {
      throw WireMistake("a name that doesn't exist")
    }
    return name
  }

  fileprivate mutating func readOptionalName<Name: RawRepresentable<String>>()
    throws(WireMistake) -> Name?
  {
    try readOptional { reader throws(WireMistake) in try reader.readName() }
  }

  fileprivate mutating func readOptionalText() throws(WireMistake) -> String? {
    try readOptional { reader throws(WireMistake) in try reader.readText() }
  }
}
