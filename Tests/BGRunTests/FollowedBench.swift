import BGRun
import JobModel
import LinuxSystem
import Testing

extension Bench {
  /// What happens while a command follows something: each step is taken once its text has been
  /// written, on the command's own thread, so that nothing depends on timing.
  struct Step {
    var seen: String
    var action: () throws -> Void
  }

  /// What a person at the terminal does.
  final class Person {
    fileprivate var interrupt: () -> Void = {}
    fileprivate let keyboard: Pipe

    fileprivate init() throws {
      keyboard = try Pipe()
    }

    func pressesInterrupt() {
      interrupt()
    }

    func types(_ line: String) throws {
      try Descriptors.write(all: "\(line)\n".utf8, to: keyboard.writeEnd)
    }
  }

  /// Runs a command that follows something, while `steps` happen in their order.
  ///
  /// - Parameter meanwhile: happens when the command waits for the first time.
  func follow(
    _ arguments: [String], isTerminal: Bool = false, steps: (Person) throws -> [Step],
    meanwhile: @escaping () throws -> Void = {}
  ) throws -> Outcome {
    let person = try Person()
    var waiting = try steps(person)[...]
    var text = ""
    var fault: (any Error)?
    let output = TextSink(isTerminal: isTerminal, columns: 200) { bytes in
      text += String(decoding: bytes, as: UTF8.self)
      while fault == nil, let step = waiting.first, text.contains(step.seen) {
        waiting.removeFirst()
        do { try step.action() } catch { fault = error }
      }
      // A step that failed would leave the command waiting for ever.
      return fault == nil ? nil : .closed
    }
    let errors = Captured()
    var context = context(arguments, output: output, errors: errors.sink())
    context.input = TextSource(
      descriptor: person.keyboard.readEnd, isTerminal: isTerminal)
    var isFirst = true
    context.watchInterrupts = { loop, handler in
      person.interrupt = handler
      if isFirst { loop.soon { do { try meanwhile() } catch { fault = error } } }
      isFirst = false
      return person
    }
    let code = Program().run(context)
    if let fault { throw fault }
    #expect(waiting.map(\.seen) == [], "these were never written")
    return Outcome(
      code: code, output: text.replacing(folder, with: "~"),
      errors: errors.text.replacing(folder, with: "~"))
  }
}
