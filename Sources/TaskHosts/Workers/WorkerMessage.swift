package import JobModel

/// What a worker is told about the run that it executes.
package struct WorkerLaunch: Hashable, Sendable {
  package var run: RunNumber
  package var identifier: String
  package var key: String
  /// The name under which the handler is registered (RG1).
  package var handler: String
  /// One JSON object.
  package var parameters: String
  package var attempt: Int
  package var scheduledFor: WallInstant
  package var deadline: WallInstant?
  package var monotonicDeadline: MonotonicInstant?
  package var title: String?
  package var subtitle: String?
  /// Kept between the runs of one identifier and key; it exists once something is put there.
  package var jobFolder: String
  /// Relative paths in the parameters resolve against it.
  package var manifestFolder: String
  /// The pool of time that the program has in the background afterwards (BG3).
  package var backgroundTime: Duration

  package init(
    run: RunNumber, identifier: String, key: String, handler: String, parameters: String,
    attempt: Int, scheduledFor: WallInstant, deadline: WallInstant? = nil,
    monotonicDeadline: MonotonicInstant? = nil, title: String? = nil, subtitle: String? = nil,
    jobFolder: String, manifestFolder: String,
    backgroundTime: Duration = LifecycleLimits().backgroundTime
  ) {
    self.run = run
    self.identifier = identifier
    self.key = key
    self.handler = handler
    self.parameters = parameters
    self.attempt = attempt
    self.scheduledFor = scheduledFor
    self.deadline = deadline
    self.monotonicDeadline = monotonicDeadline
    self.title = title
    self.subtitle = subtitle
    self.jobFolder = jobFolder
    self.manifestFolder = manifestFolder
    self.backgroundTime = backgroundTime
  }
}

/// What a run has used.
package struct WorkerUsage: Hashable, Sendable {
  package var peakMemory: Int64
  package var processorTime: Duration

  package init(peakMemory: Int64, processorTime: Duration) {
    self.peakMemory = peakMemory
    self.processorTime = processorTime
  }
}

/// From the runner to a worker.
package enum MessageToWorker: Hashable, Sendable {
  /// The first one: what may be registered.
  case permit([HandlerPermission])
  case launch(WorkerLaunch)
  /// The expiration warning (LC4).
  case expire(RunNumber, Reason)
  /// The answer to the question of this number.
  case answer(UInt32, SchedulerAnswer)
  /// A stop, or sleep: the program goes to the background, with this pool of time (BG3).
  case enterBackground(Duration)
  /// The cause is gone.
  case enterForeground
}

/// From a worker to its runner.
package enum MessageFromWorker: Hashable, Sendable {
  /// Every handler is registered (RG2).
  case ready
  case progressed(RunNumber, ProgressReport)
  /// The handler has completed, and what it printed has been written.
  case completed(RunNumber, Completed)
  /// A question about requests; its answer carries the same number.
  case ask(UInt32, SchedulerQuestion)
  /// The first background task was begun: the process must not be suspended or ended (BG1).
  case holding
  /// The last one has ended.
  ///
  /// - hasLeftovers: whether processes that the program started are still alive, where nothing
  ///   executes that they could belong to (LC5).
  case released(hasLeftovers: Bool)
  /// The time ran out with tasks begun, which the sentence names: the process kills itself (BG5).
  case leaked(String)

  package struct Completed: Hashable, Sendable {
    package var completion: HandlerCompletion
    package var progress: Double?
    package var usage: WorkerUsage
    /// Whether processes that the run started are still alive (LC5).
    package var hasLeftovers: Bool
    /// Whether the handler was warned of its time limit, by the worker itself or by the runner.
    package var hasReachedLimit: Bool

    package init(
      _ completion: HandlerCompletion, progress: Double?, usage: WorkerUsage, hasLeftovers: Bool,
      hasReachedLimit: Bool = false
    ) {
      self.completion = completion
      self.progress = progress
      self.usage = usage
      self.hasLeftovers = hasLeftovers
      self.hasReachedLimit = hasReachedLimit
    }
  }
}

extension MessageToWorker {
  private enum Kind: UInt8 {
    case permit = 1, launch, expire, answer, enterBackground, enterForeground
  }

  /// The message as one frame.
  package func encoded() -> [UInt8] {
    switch self {
    case .permit(let permissions):
      var writer = WireWriter(version: WireFrame.version, kind: Kind.permit.rawValue)
      writer.write(UInt32(clamping: permissions.count))
      for permission in permissions { permission.write(to: &writer) }
      return writer.finish()
    case .launch(let launch):
      var writer = WireWriter(version: WireFrame.version, kind: Kind.launch.rawValue)
      launch.write(to: &writer)
      return writer.finish()
    case .expire(let run, let reason):
      var writer = WireWriter(version: WireFrame.version, kind: Kind.expire.rawValue)
      writer.write(run.value)
      writer.write(reason.rawValue)
      return writer.finish()
    case .answer(let number, let answer):
      var writer = WireWriter(version: WireFrame.version, kind: Kind.answer.rawValue)
      writer.write(number)
      answer.write(to: &writer)
      return writer.finish()
    case .enterBackground(let time):
      var writer = WireWriter(version: WireFrame.version, kind: Kind.enterBackground.rawValue)
      writer.write(time.nanoseconds)
      return writer.finish()
    case .enterForeground:
      return WireWriter(version: WireFrame.version, kind: Kind.enterForeground.rawValue).finish()
    }
  }

  /// The next message of a stream; nil when more bytes are needed.
  package static func next(in stream: inout WireFrame) throws(WireMistake) -> Self? {
    guard let (kind, payload) = try stream.next() else { return nil }
    var reader = WireReader(payload)
    let message: Self
    switch Kind(rawValue: kind) {
    case .permit: message = .permit(try HandlerPermission.list(from: &reader))
    case .launch: message = .launch(try WorkerLaunch(from: &reader))
    case .expire: message = .expire(RunNumber(try reader.read()), try Reason(from: &reader))
    case .answer: message = .answer(try reader.read(), try SchedulerAnswer(from: &reader))
    case .enterBackground:
      message = .enterBackground(.nanoseconds(try reader.read(Int64.self)))
    case .enterForeground: message = .enterForeground
    case nil: throw WireMistake("a message of kind \(kind)")
    }
    try reader.finish()
    return message
  }
}

extension MessageFromWorker {
  private enum Kind: UInt8 {
    case ready = 65, progressed, completed, ask, holding, released, leaked
  }

  /// The message as one frame.
  package func encoded() -> [UInt8] {
    var writer: WireWriter
    switch self {
    case .ready: writer = WireWriter(version: WireFrame.version, kind: Kind.ready.rawValue)
    case .progressed(let run, let report):
      writer = WireWriter(version: WireFrame.version, kind: Kind.progressed.rawValue)
      writer.write(run.value)
      writer.write(report.fraction) { $0.write($1) }
      writer.write(report.title) { $0.write($1) }
      writer.write(report.subtitle) { $0.write($1) }
      writer.write(report.extending) { $0.write($1.nanoseconds) }
    case .completed(let run, let completed):
      writer = WireWriter(version: WireFrame.version, kind: Kind.completed.rawValue)
      writer.write(run.value)
      completed.write(to: &writer)
    case .ask(let number, let question):
      writer = WireWriter(version: WireFrame.version, kind: Kind.ask.rawValue)
      writer.write(number)
      question.write(to: &writer)
    case .holding: writer = WireWriter(version: WireFrame.version, kind: Kind.holding.rawValue)
    case .released(let hasLeftovers):
      writer = WireWriter(version: WireFrame.version, kind: Kind.released.rawValue)
      writer.write(hasLeftovers)
    case .leaked(let sentence):
      writer = WireWriter(version: WireFrame.version, kind: Kind.leaked.rawValue)
      writer.write(sentence)
    }
    return writer.finish()
  }

  /// The next message of a stream; nil when more bytes are needed.
  package static func next(in stream: inout WireFrame) throws(WireMistake) -> Self? {
    guard let (kind, payload) = try stream.next() else { return nil }
    var reader = WireReader(payload)
    let message: Self
    switch Kind(rawValue: kind) {
    case .ready: message = .ready
    case .progressed:
      message = .progressed(
        RunNumber(try reader.read()), try ProgressReport(from: &reader))
    case .completed:
      message = .completed(RunNumber(try reader.read()), try Completed(from: &reader))
    case .ask: message = .ask(try reader.read(), try SchedulerQuestion(from: &reader))
    case .holding: message = .holding
    case .released: message = .released(hasLeftovers: try reader.readFlag())
    case .leaked: message = .leaked(try reader.readText())
    case nil: throw WireMistake("a message of kind \(kind)")
    }
    try reader.finish()
    return message
  }
}
