import Testing

/// What `bgrun explain` says of the handlers of the stock program, against those handlers.
@Suite("The handlers of bgrun itself")
struct BuiltInHandlerTests {
  @Test(arguments: [
    ("files.archive", ["path", "output"]),
    ("files.prune", ["path", "olderThan", "largerThan", "keep", "dryRun"]),
    ("sqlite.maintain", ["path"]),
  ])
  func `each is explained with all its parameters and an example that it takes`(
    name: String, parameters: [String]
  ) throws {
    let explained = try Workplace().bgrun("explain", name)
    #expect(explained.output.hasPrefix("\(name): a handler of bgrun itself\n"))
    for parameter in parameters { #expect(explained.output.contains(parameter)) }
    let example = explained.output.split(separator: "\n").filter { $0.hasPrefix("    ") }
    let place = try Workplace(
      "  - identifier: com.example.a\n" + example.map { $0 + "\n" }.joined())
    let checked = try place.bgrun("validate", "bgrun.yaml")
    #expect(!checked.output.contains("[wrong-parameter]"), "\(checked.output)")
    let listed = try place.bgrun("explain").output.split(separator: "\n")
    #expect(listed.contains(Substring(name)))
  }
}
