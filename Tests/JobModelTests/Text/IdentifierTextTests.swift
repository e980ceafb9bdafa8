import JobModel
import Testing

@Suite("Identifiers as text")
struct IdentifierTextTests {
  @Test(arguments: [
    "com.example", "com.example.db-cleaning", "a.b", "com.example.export.*", "A_1.0-",
    String(repeating: "a", count: 126) + ".b",
  ])
  func `accepts reverse-DNS names of two labels and more`(text: String) {
    #expect(IdentifierText.check(text) == nil)
  }

  static let mistakes: [(String, IdentifierText.Mistake)] = [
    ("", .empty),
    ("cleanup", .oneLabel(isWildcard: false)),
    ("com.*", .oneLabel(isWildcard: true)),
    ("com..example", .emptyLabel(offset: 4)),
    (".com.example", .emptyLabel(offset: 0)),
    ("com.example.", .emptyLabel(offset: 12)),
    (
      "com.example.db cleaning",
      .character(" ", offset: 14, suggestion: "com.example.db-cleaning")
    ),
    ("com.exämple.a", .character("ä", offset: 6, suggestion: "com.ex-mple.a")),
    ("com.*.export", .misplacedWildcard(offset: 4)),
    ("com.example*", .misplacedWildcard(offset: 11)),
    (".*", .emptyLabel(offset: 0)),
    (String(repeating: "a", count: 127) + ".b", .tooLong(count: 129)),
  ]

  @Test(arguments: mistakes)
  func `refuses other names, with the place`(text: String, mistake: IdentifierText.Mistake) {
    #expect(IdentifierText.check(text) == mistake)
    #expect(!mistake.sentence.isEmpty)
    checkPlace(of: mistake, in: text)
  }

  @Test func `no text makes it trap, and what it accepts has only labels`() {
    let samples = Self.mistakes.map(\.0) + ["com.example.db-cleaning", "com.example.export.*"]
    checkMutations(of: samples, seed: 9) { text in
      if let mistake = IdentifierText.check(text) {
        checkPlace(of: mistake, in: text)
        return
      }
      let labels = text.split(separator: ".", omittingEmptySubsequences: false)
      let isSound = labels.enumerated().allSatisfy { index, label in
        let isWord = label.utf8.allSatisfy {
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains($0)
        }
        return !label.isEmpty && (isWord || (label == "*" && index == labels.count - 1))
      }
      #expect(isSound && labels.count >= 2 && text.utf8.count <= 128, "\(text)")
    }
  }

  @Test func `RG7: only a final label of a star is a wildcard`() {
    #expect(IdentifierText.isWildcard("com.example.*"))
    #expect(!IdentifierText.isWildcard("com.example"))
    #expect(!IdentifierText.isWildcard("com.example*"))
    #expect(!IdentifierText.isWildcard("*"))
  }
}

@Suite("Sentences")
struct MistakeSentenceTests {
  @Test func `a long piece is cut where a sentence quotes it`() throws {
    let long = String(repeating: "x", count: 1_000_000)
    var sentences: [String] = []
    if case .failure(let mistake) = DurationText.parse("5" + long) {
      sentences.append(mistake.sentence)
    }
    if case .failure(let mistake) = SizeText.parse("5" + long) {
      sentences.append(mistake.sentence)
    }
    if case .failure(let mistake) = CronExpression.parse("\(long) * * * *") {
      sentences.append(mistake.sentence)
    }
    #expect(sentences.count == 3)
    #expect(sentences.allSatisfy { $0.utf8.count < 200 && $0.contains("xxx…'") })
  }
}

@Suite("Did you mean")
struct SpellingDistanceTests {
  private let keys = ["requiresExternalPower", "network", "schedule", "title", "timeLimit"]

  @Test(arguments: [
    ("requireExternalPower", "requiresExternalPower"), ("Network", "network"),
    ("shcedule", "schedule"), ("titel", "title"), ("timelimt", "timeLimit"),
    ("time_limit", "timeLimit"), ("Titel", "title"),
  ])
  func `finds the nearest word`(word: String, expected: String) {
    #expect(SpellingDistance.nearest(to: word, among: keys) == expected)
  }

  @Test(arguments: ["", "x", "cron", "concurrencyPolicy", String(repeating: "t", count: 100_000)])
  func `keeps silent when nothing is near`(word: String) {
    #expect(SpellingDistance.nearest(to: word, among: keys) == nil)
  }

  @Test(arguments: [
    ("com.example.maintenance.omega", "com.example.maintenance.alpha"),
    ("com.example.maintenance", "com.example.maintenance.alpha"),
    ("com.example.maintenance.alpha", "com.example.maintenance"),
    ("com.example.backup.photos", "com.example.restore.photos"),
    ("Europe/Bonn", "Europe/Rome"),
  ])
  func `what names have in common makes the rest no nearer`(word: String, other: String) {
    #expect(SpellingDistance.nearest(to: word, among: [other]) == nil)
    #expect(SpellingDistance.onlyNearest(to: word, among: [other]) == nil)
  }

  @Test(arguments: [
    ("com.example.maintenance.alhpa", "com.example.maintenance.alpha"),
    ("com.exmaple.mail", "com.example.mail"), ("com.examplemail", "com.example.mail"),
    ("com.example..mail", "com.example.mail"),
    ("com.example.db_cleaning", "com.example.db-cleaning"),
    ("COM.example.maill", "com.example.mail"), ("Europe/Berlim", "Europe/Berlin"),
    ("mail.example.com.*", "mail.exampel.com.*"),
  ])
  func `a name with a mistake in a label is found`(word: String, meant: String) {
    #expect(SpellingDistance.nearest(to: word, among: ["com.other", meant]) == meant)
    #expect(SpellingDistance.onlyNearest(to: word, among: ["com.other", meant]) == meant)
  }

  @Test func `prefers the word that differs in case only, then the nearest, then the first`() {
    #expect(SpellingDistance.nearest(to: "ABC", among: ["abd", "abc"]) == "abc")
    #expect(SpellingDistance.nearest(to: "abcdef", among: ["abcxyf", "abcdxf"]) == "abcdxf")
    #expect(SpellingDistance.nearest(to: "abc", among: ["abx", "aby"]) == "abx")
  }
}

@Suite("Stable hashes and offsets")
struct StableHashTests {
  @Test func `is the same for ever and tells parts apart`() {
    #expect(StableHash.of([]) != StableHash.of([""]))
    #expect(StableHash.of(["ab", "c"]) != StableHash.of(["a", "bc"]))
    #expect(StableHash.of(["machine", "com.example.job"]) == 7_861_569_099_143_853_620)
  }

  @Test func `PL18: an offset is stable, bounded and spreads machines evenly`() {
    let machines = (0..<4000).map { "machine-\($0)" }
    let offsets = machines.map {
      StableOffset.delay(machine: $0, identifier: "com.example.job", upTo: .seconds(3600))
    }
    #expect(offsets.allSatisfy { $0 >= .zero && $0 <= .seconds(3600) })
    for quarter in 0..<4 {
      let range = Duration.seconds(900 * quarter)..<Duration.seconds(900 * (quarter + 1))
      #expect((900...1100).contains(offsets.count { range.contains($0) }))
    }
    #expect(
      offsets[7]
        == StableOffset.delay(
          machine: "machine-7", identifier: "com.example.job", upTo: .seconds(3600)))
    #expect(StableOffset.delay(machine: "m", identifier: "i", upTo: .zero) == .zero)
  }
}
