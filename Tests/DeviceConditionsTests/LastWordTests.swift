import Testing

@testable import DeviceConditions

@Suite("A source that is gone")
struct LastWordTests {
  private let kernel = Finding(value: true, source: "kernel")
  private let service = Finding(value: false, source: "service")
  private var lastWord: Finding<Bool> {
    var word = service
    word.isStale = true
    return word
  }

  private func apply(
    _ word: Finding<Bool>, over below: Finding<Bool>?, _ memory: inout LastWord<Bool>
  ) -> Finding<Bool>? {
    var finding = below
    memory.apply(word, to: &finding)
    return finding
  }

  @Test func `is believed until a weaker one sees a change`() {
    var memory = LastWord<Bool>()
    #expect(apply(service, over: kernel, &memory) == service)
    #expect(apply(lastWord, over: kernel, &memory) == lastWord)
    #expect(apply(lastWord, over: kernel, &memory) == lastWord)
    let changed = Finding(value: false, source: "kernel")
    #expect(apply(lastWord, over: changed, &memory) == changed)
    // Back at what it was: the weaker one has spoken since.
    #expect(apply(lastWord, over: kernel, &memory) == kernel)
  }

  @Test func `is believed where no other knows, and again when it is back`() {
    var memory = LastWord<Bool>()
    #expect(apply(lastWord, over: nil, &memory) == lastWord)
    #expect(apply(service, over: kernel, &memory) == service)
    #expect(apply(lastWord, over: kernel, &memory) == lastWord)
  }
}
