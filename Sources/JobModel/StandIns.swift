// Replaced by the Time and Text folders.
package enum CatchUp: String, CaseIterable, Hashable, Sendable { case latest, all, none }
package enum Schedule: Hashable, Sendable { case every(Duration) }
package enum DurationText { package static func format(_ d: Duration) -> String { "\(d)" } }
package enum SizeText { package static func format(_ n: Int64) -> String { "\(n) B" } }
