import JobModel

extension Invocation {
  /// How standard output is coloured.
  var outputStyle: TextStyle { style(of: context.output) }

  /// How standard error is coloured.
  var errorStyle: TextStyle { style(of: context.errors) }

  /// Instants for people, seen from now.
  var instants: InstantText {
    InstantText(
      zone: TimeZoneFiles(environment: context.environment).local, now: context.now().wall)
  }

  private func style(of sink: TextSink) -> TextStyle {
    TextStyle(
      choice: arguments.text(.color), environment: context.environment,
      isTerminal: sink.isTerminal)
  }
}
