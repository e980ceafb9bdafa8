import JobModel
import Testing

/// Hands on thousands of texts made from samples by changing, removing, doubling and joining bytes,
/// the same in every run.
func checkMutations(of samples: [String], seed: UInt64, check: (String) -> Void) {
  var generator = SeededGenerator(seed: seed)
  let signs = Array("0123456789.:-+*/,#@LW?smhdKiB \t\u{e9}\u{1f600}\0".utf8)
  for sample in samples {
    for _ in 0..<200 {
      var bytes = Array(sample.utf8)
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        let sign = signs.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<4, using: &generator) {
        case 0 where index < bytes.count: bytes[index] = sign
        case 1 where index < bytes.count: bytes.remove(at: index)
        case 2: bytes += bytes.prefix(index)
        default: bytes.insert(sign, at: index)
        }
      }
      check(String(decoding: bytes, as: UTF8.self))
    }
  }
}

/// Checks that a mistake's place lies within the text that it is about.
func checkPlace(of mistake: some TextMistake, in text: String) {
  let offset = mistake.offset ?? 0
  #expect(offset >= 0 && offset + (mistake.length ?? 0) <= text.utf8.count, "\(mistake)")
}
