/// Room for one read.
final class ReadBuffer {
  var bytes = [UInt8](repeating: 0, count: 65_536)
}
