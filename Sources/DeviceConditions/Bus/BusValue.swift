/// The value of a property on the bus.
enum BusValue: Hashable {
  case bool(Bool)
  /// Any whole number; those beyond 63 bits are cut off.
  case integer(Int64)
  case real(Double)
  case text(String)
}

extension [String: BusValue] {
  func bool(_ name: String) -> Bool? {
    if case .bool(let value)? = self[name] { value } else { nil }
  }

  func integer(_ name: String) -> Int64? {
    if case .integer(let value)? = self[name] { value } else { nil }
  }

  func real(_ name: String) -> Double? {
    if case .real(let value)? = self[name] { value } else { nil }
  }

  func text(_ name: String) -> String? {
    if case .text(let value)? = self[name] { value } else { nil }
  }
}
