/// How a request's key reads in a sentence; programs choose keys, so they may hold anything.
enum KeyText {
  /// " with key 'inbox'"; empty for the empty key.
  static func phrase(_ key: String) -> String {
    key.isEmpty ? "" : " with key '\(TerminalText.visible(key))'"
  }
}
