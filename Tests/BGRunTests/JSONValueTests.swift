import BGRun
import JobModel
import Testing

@Suite("JSON is read and written as RFC 8259 has it")
struct JSONValueTests {
  @Test func `keeps the order of members`() {
    let value = JSONValue.object([
      .init("b", .integer(1)), .init("a", .array([.null, .bool(false)])), .init("c", .object([])),
    ])
    #expect(value.text() == #"{"b":1,"a":[null,false],"c":{}}"#)
    #expect(
      value.text(isIndented: true) == """
        {
          "b": 1,
          "a": [
            null,
            false
          ],
          "c": {}
        }
        """)
  }

  @Test func `escapes what a string can't hold`() {
    #expect(
      JSONValue.text("\"\\\n\t\u{1}é\u{7F}").text() == #""\"\\\n\t\u0001é\u007f""#)
  }

  @Test(
    arguments: [
      (0.5, "0.5"), (3, "3"), (-0.25, "-0.25"), (0.1234567891, "0.123457"), (.infinity, "null"),
      (.nan, "null"),
    ] as [(Double, String)])
  func `writes decimals that JSON can hold`(value: Double, text: String) {
    #expect(JSONValue.decimal(value).text() == text)
  }

  @Test(arguments: [
    "null", "true", "-1.5e+10", #""\u00e9""#, #"[{"a":[]}]"#, #""\ud83d\ude00""#, " 1 ",
  ])
  func `reads JSON`(text: String) {
    #expect(JSONValue(parsing: text) != nil)
  }

  @Test(arguments: [
    "", "nul", "01", "1.", "+1", ".5", "[1,]", "{\"a\":1,}", "{a:1}", "\"\n\"", "\"\\x\"", "1 2",
    #"{"a":1,"a":2}"#, #""\ud83d""#, #""\u+123""#, "--1", "-", "[",
    String(repeating: "[", count: 100) + String(repeating: "]", count: 100),
  ])
  func `refuses what isn't JSON`(text: String) {
    #expect(JSONValue(parsing: text) == nil)
  }

  @Test func `reads a surrogate pair as one character`() {
    #expect(JSONValue(parsing: #""\ud83d\ude00""#) == .text("😀"))
  }
}
