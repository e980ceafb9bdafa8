/// An interface of an object that a service has on the bus.
struct BusAddress: Hashable {
  var service: String
  var path: String
  var interface: String
}

/// One interface whose properties are followed, and what is known of them.
final class BusObject {
  let address: BusAddress
  /// The last known values; empty while the service has never been there.
  private(set) var properties: [String: BusValue] = [:]
  /// Whether the service is there now, so that `properties` are true.
  private(set) var isPresent = false
  /// Whether it is known if the service is there.
  private(set) var isSettled = false
  /// Called after anything of it has changed.
  var changed: () -> Void = {}

  private var incoming: [String: BusValue] = [:]

  init(_ address: BusAddress) {
    self.address = address
  }

  /// Whether `properties` are what a service said that is gone.
  var isStale: Bool { !isPresent && !properties.isEmpty }

  func take(_ value: BusValue, of property: String) {
    incoming[property] = value
  }

  func takeAnswer(hasAnswered: Bool) {
    isSettled = true
    isPresent = hasAnswered
    properties.merge(incoming) { $1 }
    incoming = [:]
    changed()
  }

  func lose() {
    isPresent = false
    incoming = [:]
    changed()
  }

  /// Nobody is there to answer.
  func giveUp() {
    isSettled = true
  }
}
