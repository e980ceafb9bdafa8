import JobModel
import Testing

@Suite("Cron beside cronsim and croniter")
struct CronTableTests {
  /// An expression, where and from when it is asked, and what the others answer.
  struct Row {
    let text: String
    let zone: String
    let start: WallInstant
    let instants: [WallInstant]

    init(_ line: Substring) throws {
      let columns = line.split(separator: "\t")
      text = String(columns[0])
      zone = String(columns[1])
      start = WallInstant(seconds: try #require(Int64(columns[2])))
      var latest = start
      instants = try columns[3].split(separator: " ").map { step in
        latest = latest + .seconds(try #require(Int64(step)))
        return latest
      }
    }
  }

  @Test func `PL8: four thousand expressions fire when the others say`() throws {
    let rows = try TestFile.table("cron.tsv").map(Row.init)
    #expect(rows.count == 4000)
    for row in rows {
      let expression = try CronExpression.parse(row.text).get()
      let zone = try TestZones.zone(row.zone)
      var latest = row.start
      for expected in row.instants {
        guard let next = expression.next(after: latest, in: zone), next == expected else {
          let found = expression.next(after: latest, in: zone).map { RFC3339.format($0) }
          Issue.record(
            """
            '\(row.text)' in \(row.zone) after \(RFC3339.format(latest)): \
            \(found ?? "nothing") instead of \(RFC3339.format(expected))
            """)
          break
        }
        latest = next
      }
      try checkBackwards(row, expression, zone)
    }
  }

  /// Looking back and counting come to the same instants as looking forward.
  private func checkBackwards(
    _ row: Row, _ expression: CronExpression, _ zone: TimeZoneRules
  ) throws {
    let newest = try #require(row.instants.last)
    #expect(
      expression.count(after: row.start, through: newest, in: zone) == row.instants.count,
      "'\(row.text)' in \(row.zone)")
    var found: [WallInstant] = []
    var latest: WallInstant? = newest
    while let instant = latest, instant > row.start {
      found.append(instant)
      latest = expression.last(
        atOrBefore: WallInstant(microseconds: instant.microseconds - 1), in: zone)
    }
    let isSame = found.reversed().elementsEqual(row.instants)
    #expect(isSame, "'\(row.text)' in \(row.zone), backwards")
  }
}
