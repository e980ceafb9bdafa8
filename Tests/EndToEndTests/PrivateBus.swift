import Foundation
import Testing

/// A message bus of its own for one test, with stand-ins for the system's services on it: the
/// templates of python-dbusmock, which answer as the real services do.
final class PrivateBus {
  let address: String
  private let folder: String
  private var daemon: RunningProgram?
  private var services: [String: RunningProgram] = [:]

  /// Debian's own Python, for which python3-dbusmock is packaged.
  private static let python = "/usr/bin/python3"

  /// Whether the programs are here: Debian's dbus and python3-dbusmock.
  static let isPossible: Bool = {
    let files = [
      "/usr/bin/dbus-daemon", "/usr/bin/dbus-send", "/usr/lib/python3/dist-packages/dbusmock",
    ]
    return files.allSatisfy(FileManager.default.fileExists)
  }()

  init(in folder: String) throws {
    self.folder = folder
    address = "unix:path=\(folder)/bus"
    try start()
  }

  /// Starts the bus, which was stopped or never ran.
  func start() throws {
    let configuration = """
      <busconfig>
        <listen>\(address)</listen>
        <auth>EXTERNAL</auth>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow eavesdrop="true"/>
          <allow own="*"/>
        </policy>
      </busconfig>
      """
    try configuration.write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
    let daemon = try RunningProgram(
      [
        "/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile",
        "--print-address",
      ], environment: [:], in: folder)
    // It prints the address once it listens.
    try daemon.waitFor("unix:path=")
    self.daemon = daemon
  }

  /// Stops the bus without a farewell, and its services with it.
  func stop() throws {
    services = [:]
    daemon?.send(SIGKILL)
    _ = try daemon?.waitForEnd()
    daemon = nil
    try FileManager.default.removeItem(atPath: "\(folder)/bus")
  }

  /// Puts a template's service on the bus, with its parameters as JSON.
  func add(_ template: String, _ parameters: String = "{}") throws {
    let service = try RunningProgram(
      [
        Self.python, "-u", "-m", "dbusmock", "--template", template, "--parameters", parameters,
      ],
      environment: [
        "DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address,
        "PATH": "/usr/bin:/bin",
      ], in: folder)
    services[template] = service
    let name = try #require(Self.names[template])
    try waitForOwner(of: name)
  }

  /// Ends a service as a crash would.
  func remove(_ template: String) throws {
    let removed = services.removeValue(forKey: template)
    let service = try #require(removed)
    service.send(SIGKILL)
    _ = try service.waitForEnd()
  }

  /// Sets a property, which the service announces.
  func set(
    _ object: (service: String, path: String, interface: String), _ property: String,
    _ value: String
  ) throws {
    try call(
      object.service, object.path, "org.freedesktop.DBus.Properties.Set",
      "string:\(object.interface)", "string:\(property)", "variant:\(value)")
  }

  /// Makes a service send a signal with one boolean.
  func emit(
    _ object: (service: String, path: String, interface: String), _ signal: String, _ value: Bool
  ) throws {
    // dbus-send can't write an array of variants, which the mock wants.
    let program = try RunningProgram(
      [
        Self.python, "-c",
        """
        import dbus, sys
        bus = dbus.bus.BusConnection(sys.argv[1])
        mock = dbus.Interface(bus.get_object(sys.argv[2], sys.argv[3]), 'org.freedesktop.DBus.Mock')
        mock.EmitSignal(sys.argv[4], sys.argv[5], 'b', [sys.argv[6] == 'true'])
        """,
        address, object.service, object.path, object.interface, signal, "\(value)",
      ], environment: [:], in: folder)
    let finished = try program.waitForEnd()
    try #require(finished.status == 0, "\(finished.errors)")
  }

  func call(_ service: String, _ path: String, _ method: String, _ arguments: String...) throws {
    let finished = try send([service, path, method] + arguments)
    try #require(finished.status == 0, "\(finished.errors)")
  }

  /// What logind says of who holds back sleep or shutdown.
  func inhibitors() throws -> String {
    let (service, path, interface) = Self.logind
    return try send([service, path, "\(interface).ListInhibitors"]).output
  }

  private func send(_ words: [String]) throws -> Finished {
    try RunningProgram(
      ["/usr/bin/dbus-send", "--bus=\(address)", "--print-reply", "--dest=\(words[0])"]
        + words.dropFirst(), environment: [:], in: folder
    ).waitForEnd()
  }

  /// Starting Python takes most of it; each question is a process of its own, so this doesn't spin.
  private func waitForOwner(of name: String) throws {
    for _ in 0..<2_000 {
      let answer = try send([
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner",
        "string:\(name)",
      ])
      if answer.output.contains("boolean true") { return }
    }
    Issue.record("no service \(name) came to the bus")
  }

  private static let names = [
    "upower": upower.service, "networkmanager": networkManager.service,
    "logind": logind.service, "power_profiles_daemon": powerProfiles.service,
  ]

  static let upower = (
    service: "org.freedesktop.UPower", path: "/org/freedesktop/UPower",
    interface: "org.freedesktop.UPower"
  )
  static let networkManager = (
    service: "org.freedesktop.NetworkManager", path: "/org/freedesktop/NetworkManager",
    interface: "org.freedesktop.NetworkManager"
  )
  static let logind = (
    service: "org.freedesktop.login1", path: "/org/freedesktop/login1",
    interface: "org.freedesktop.login1.Manager"
  )
  static let powerProfiles = (
    service: "net.hadess.PowerProfiles", path: "/net/hadess/PowerProfiles",
    interface: "net.hadess.PowerProfiles"
  )
}
