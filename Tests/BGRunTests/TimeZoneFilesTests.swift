import BGRun
import JobModel
import Testing

@Suite("The machine's time zones")
struct TimeZoneFilesTests {
  private func offset(_ environment: [String: String]) -> Int {
    TimeZoneFiles(environment: environment).local.offset(at: Bench.start)
  }

  @Test func `TZ names the local zone, with or without a colon`() {
    #expect(offset(["TZ": "Asia/Kolkata"]) == 19_800)
    #expect(offset(["TZ": ":Asia/Kolkata"]) == 19_800)
    #expect(offset(["TZ": ":/usr/share/zoneinfo/Asia/Kolkata"]) == 19_800)
  }

  @Test(arguments: ["", "UTC", "Nowhere/City", "../../etc/passwd"])
  func `a TZ that names no zone is UTC, as libc has it`(name: String) {
    #expect(offset(["TZ": name]) == 0)
  }

  @Test func `TZDIR holds the files`() {
    #expect(TimeZoneFiles(environment: ["TZDIR": "/nowhere"]).rules(named: "Asia/Kolkata") == nil)
  }

  @Test func `lists the names that it knows`() {
    let names = TimeZoneFiles(environment: [:]).names
    #expect(names.contains("Europe/Madrid"))
    #expect(names.contains("America/Argentina/Ushuaia"))
    #expect(!names.contains { $0.hasPrefix("posix/") || $0.contains(".") })
  }
}
