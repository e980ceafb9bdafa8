import JobModel

extension Decoder {
  /// The container of these keys; any other key is an error: one that is mistyped must not widen
  /// what a handler removes.
  func container<Key: CodingKey & CaseIterable>(
    strictlyKeyedBy type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let names = Key.allCases.map(\.stringValue)
    let present = try container(keyedBy: WrittenKey.self).allKeys
    for key in present.sorted(by: { $0.stringValue < $1.stringValue })
    where !names.contains(key.stringValue) {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: codingPath + [key],
          debugDescription: "there is no such parameter; there are "
            + names.sorted().joined(separator: ", ")))
    }
    return try container(keyedBy: type)
  }
}

/// Any key, as it is written.
private struct WrittenKey: CodingKey {
  let stringValue: String
  let intValue: Int? = nil

  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer {
  /// A duration written as in the rest of the manifest, such as `30d`; nil when the key is missing.
  func durationIfPresent(forKey key: Key) throws -> Duration? {
    try measureIfPresent(forKey: key) { DurationText.parse($0) }
  }

  /// A size in bytes, written as in the rest of the manifest, such as `10MiB`; nil when the key is
  /// missing.
  func sizeIfPresent(forKey key: Key) throws -> Int64? {
    try measureIfPresent(forKey: key) { SizeText.parse($0) }
  }

  private func measureIfPresent<Value, Mistake: TextMistake>(
    forKey key: Key, parse: (String) -> Result<Value, Mistake>
  ) throws -> Value? {
    guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
    switch parse(text) {
    case .success(let value): return value
    case .failure(let mistake):
      let suggestion = mistake.suggestion.map { "; did you mean '\($0)'?" } ?? ""
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: mistake.sentence + suggestion)
    }
  }
}
