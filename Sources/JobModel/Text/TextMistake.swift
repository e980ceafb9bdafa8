/// What is wrong with a text that a person wrote, told so that it can be shown and mended.
///
/// `validate` and the command line render every text of the model through these four values.
package protocol TextMistake: Error, Hashable, Sendable {
  /// One sentence: what is wrong, without the name of the field that holds the text.
  var sentence: String { get }

  /// The whole text as it should have been written, where only one reading is likely.
  var suggestion: String? { get }

  /// Where the mistake begins, in UTF-8 bytes from the text's start; nil: the whole text.
  var offset: Int? { get }

  /// How many UTF-8 bytes the mistake covers from `offset`; nil: to the text's end.
  var length: Int? { get }
}

extension String {
  /// The text between quotes as a sentence can hold it: what is long is cut.
  var quoted: String {
    let start = prefix(40)
    return start.endIndex == endIndex ? "'\(self)'" : "'\(start)…'"
  }
}
