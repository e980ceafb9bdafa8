import BGRun
import Testing

@Suite("The line that shows progress")
struct ProgressLineTests {
  private let line = ProgressLine(
    title: "Exporting palettes", fraction: 0.45, subtitle: "9 of 20")

  @Test func `CP5: title, bar, percentage and subtitle stand in one line`() {
    #expect(line.text(columns: nil) == "Exporting palettes  [#########           ] 45 %  9 of 20")
  }

  @Test(arguments: [
    (57, "Exporting palettes  [#########           ] 45 %  9 of 20"),
    (56, "Exporting palettes  [####      ] 45 %  9 of 20"),
    (46, "Exporting palettes  [####      ] 45 %  9 of …"),
    (44, "Exporting palettes  [####      ] 45 %"),
    (40, "Exporting palettes  [####      ] 45 %"),
    (30, "Exporting palettes  45 %"),
    (20, "Exporting pa…  45 %"),
    (8, "…  45 %"),
    (5, "45 %"),
    (2, "…"),
  ])
  func `CP5: on a narrow terminal the percentage stays longest`(columns: Int, text: String) {
    #expect(line.text(columns: columns) == text)
  }

  @Test(arguments: 1...90)
  func `CP5: it is never wider than the terminal, with wide characters too`(columns: Int) {
    for subtitle in [nil, "9 of 20", "第九页 of 二十"] {
      for note in [nil, "asked to stop"] {
        let line = ProgressLine(
          title: "色の書き出し 🎨", fraction: 1, subtitle: subtitle, note: note)
        #expect(TerminalText.width(of: line.text(columns: columns)) < max(2, columns))
      }
    }
  }

  @Test func `what a job calls itself can't move the cursor`() {
    let line = ProgressLine(title: "a\u{1B}[2Jb\nc", subtitle: "\u{9B}31m\u{7}")
    #expect(line.text(columns: nil) == "a [2Jb c   31m ")
  }

  @Test(arguments: [(-1.0, "0 %"), (2.0, "100 %"), (.nan, "0 %"), (0.999, "99 %")])
  func `a percentage is between 0 and 100, cut off`(fraction: Double, text: String) {
    #expect(ProgressLine(title: "t", fraction: fraction).text(columns: nil).hasSuffix("] \(text)"))
  }
}
