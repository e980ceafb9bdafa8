import JobModel

extension Program {
  /// A time before which this version can't run: a clock that reads less is wrong (PL15).
  ///
  /// It is the date of the release, raised with `version`: a date taken while compiling would make
  /// builds differ.
  static let builtNotBefore = WallInstant(seconds: 1_796_000_000)
}
