import JobModel

extension HandlerPermission {
  func write(to writer: inout WireWriter) {
    writer.write(identifier)
    writer.write(kind.rawValue)
    writer.write(handler)
  }

  static func list(from reader: inout WireReader) throws(WireMistake) -> [Self] {
    // Not reserved by the count: it may be garbage.
    var permissions: [Self] = []
    for _ in 0..<(try reader.read(UInt32.self)) {
      let identifier = try reader.readText()
      guard let kind = JobKind(rawValue: try reader.readText()) else {
        throw WireMistake("a kind that doesn't exist")
      }
      permissions.append(
        Self(identifier: identifier, kind: kind, handler: try reader.readText()))
    }
    return permissions
  }
}

extension WorkerLaunch {
  func write(to writer: inout WireWriter) {
    writer.write(run.value)
    writer.write(identifier)
    writer.write(key)
    writer.write(handler)
    writer.write(parameters)
    writer.write(Int64(attempt))
    writer.write(scheduledFor.microseconds)
    writer.write(deadline) { $0.write($1.microseconds) }
    writer.write(monotonicDeadline) { $0.write($1.nanoseconds) }
    writer.write(title) { $0.write($1) }
    writer.write(subtitle) { $0.write($1) }
    writer.write(jobFolder)
    writer.write(manifestFolder)
    writer.write(backgroundTime.nanoseconds)
  }

  init(from reader: inout WireReader) throws(WireMistake) {
    run = RunNumber(try reader.read())
    identifier = try reader.readText()
    key = try reader.readText()
    handler = try reader.readText()
    parameters = try reader.readText()
    attempt = Int(try reader.read(Int64.self))
    scheduledFor = WallInstant(microseconds: try reader.read())
    deadline = try reader.readOptional { reader throws(WireMistake) in
      WallInstant(microseconds: try reader.read())
    }
    monotonicDeadline = try reader.readOptional { reader throws(WireMistake) in
      MonotonicInstant(nanoseconds: try reader.read())
    }
    title = try reader.readOptional { reader throws(WireMistake) in try reader.readText() }
    subtitle = try reader.readOptional { reader throws(WireMistake) in try reader.readText() }
    jobFolder = try reader.readText()
    manifestFolder = try reader.readText()
    backgroundTime = .nanoseconds(try reader.read(Int64.self))
  }
}

extension ProgressReport {
  init(from reader: inout WireReader) throws(WireMistake) {
    self.init(
      fraction: try reader.readFraction(),
      title: try reader.readOptional { reader throws(WireMistake) in try reader.readText() },
      subtitle: try reader.readOptional { reader throws(WireMistake) in try reader.readText() },
      extending: try reader.readOptional { reader throws(WireMistake) in
        .nanoseconds(try reader.read(Int64.self))
      })
  }
}

extension MessageFromWorker.Completed {
  func write(to writer: inout WireWriter) {
    switch completion {
    case .succeeded: writer.write(true)
    case .failed(let reason, let detail):
      writer.write(false)
      writer.write(reason.rawValue)
      writer.write(detail) { $0.write($1) }
    }
    writer.write(progress) { $0.write($1) }
    writer.write(usage.peakMemory)
    writer.write(usage.processorTime.nanoseconds)
    writer.write(hasLeftovers)
    writer.write(hasReachedLimit)
  }

  init(from reader: inout WireReader) throws(WireMistake) {
    if try reader.readFlag() {
      completion = .succeeded
    } else {
      completion = .failed(
        try Reason(from: &reader),
        detail: try reader.readOptional { reader throws(WireMistake) in try reader.readText() })
    }
    progress = try reader.readFraction()
    usage = WorkerUsage(
      peakMemory: try reader.read(), processorTime: .nanoseconds(try reader.read(Int64.self)))
    hasLeftovers = try reader.readFlag()
    hasReachedLimit = try reader.readFlag()
  }
}

extension Reason {
  init(from reader: inout WireReader) throws(WireMistake) {
    let name = try reader.readText()
    guard let reason = Reason(rawValue: name) else {
      throw WireMistake("a reason that doesn't exist")
    }
    self = reason
  }
}

extension WireReader {
  /// A fraction is in 0…1 wherever it comes from.
  fileprivate mutating func readFraction() throws(WireMistake) -> Double? {
    let fraction = try readOptional { reader throws(WireMistake) in try reader.readDouble() }
    if let fraction, !(0...1).contains(fraction) {
      throw WireMistake("a fraction outside of 0…1")
    }
    return fraction
  }
}
