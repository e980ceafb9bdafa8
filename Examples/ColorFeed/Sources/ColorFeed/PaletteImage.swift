import Foundation

/// A palette as an image: its colours side by side, in a BMP file.
struct PaletteImage {
  private static let side = 128

  private let palette: Palette
  private let colors: [(red: UInt8, green: UInt8, blue: UInt8)]

  init(of palette: Palette) throws {
    self.palette = palette
    colors = try palette.colors.map { text in
      guard text.count == 7, text.hasPrefix("#"), let value = UInt32(text.dropFirst(), radix: 16)
      else { throw ColorFeedError(description: "\(palette.name): \(text) is not a colour") }
      return (UInt8(value >> 16), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF))
    }
    guard !colors.isEmpty else {
      throw ColorFeedError(description: "\(palette.name) has no colours")
    }
  }

  static func makeFolder() throws -> URL {
    let folder = try DataFolder.make().appendingPathComponent("images")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  func write(to folder: URL) throws {
    let name = palette.name.replacingOccurrences(of: "/", with: "-")
    try bytes.write(to: folder.appendingPathComponent("\(name).bmp"), options: .atomic)
  }

  /// Rows of four bytes a pixel need no padding.
  private var bytes: Data {
    let width = Self.side * colors.count
    let size = 4 * width * Self.side
    var data = Data("BM".utf8)
    data.append(numbers: [54 + size, 0, 54, 40, width, Self.side])
    data.append(numbers: [1, 32] as [UInt16])
    data.append(numbers: [0, size, 2835, 2835, 0, 0])
    var row: [UInt8] = []
    for color in colors {
      for _ in 0..<Self.side { row += [color.blue, color.green, color.red, 255] }
    }
    for _ in 0..<Self.side { data.append(contentsOf: row) }
    return data
  }
}

extension Data {
  fileprivate mutating func append(numbers: [Int]) { append(numbers: numbers.map { UInt32($0) }) }

  fileprivate mutating func append(numbers: [some FixedWidthInteger]) {
    for number in numbers {
      Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
  }
}
