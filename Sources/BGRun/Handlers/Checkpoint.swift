import FoundationEssentials
import LinuxSystem

/// A small value that an attempt leaves to the next attempt of its identifier and key.
///
/// It survives a crash of the handler, of the runner and of the machine, and is removed when a run
/// succeeds. Keep it small: each save is written to the disk before it returns.
public struct Checkpoint: Sendable {
  private let folder: String
  private var path: String { "\(folder)/checkpoint" }

  init(folder: String) {
    self.folder = folder
  }

  /// The bytes that were saved last; nil when nothing was saved.
  public func loadBytes() throws(CheckpointError) -> [UInt8]? {
    do throws(SystemError) {
      return try Files.status(path) == nil ? nil : try Files.read(path)
    } catch {
      throw CheckpointError("read", error)
    }
  }

  /// Saves bytes in place of what was saved before: after a crash either is found, whole.
  public func save(bytes: [UInt8]) throws(CheckpointError) {
    do throws(SystemError) {
      try Files.makeFolders(folder)
      try Files.replace(path, with: bytes)
    } catch {
      throw CheckpointError("save", error)
    }
  }

  /// The value that was saved last; nil when nothing was saved.
  public func load<Value: Decodable>(_ type: Value.Type) throws(CheckpointError) -> Value? {
    guard let bytes = try loadBytes() else { return nil }
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw CheckpointError(description: "the checkpoint \(path) holds no \(type): \(error)")
    }
  }

  /// Saves a value, as JSON, in place of what was saved before.
  public func save<Value: Encodable>(_ value: Value) throws(CheckpointError) {
    let data: Data
    do {
      data = try JSONEncoder().encode(value)
    } catch {
      throw CheckpointError(description: "the checkpoint can't be JSON: \(error)")
    }
    try save(bytes: Array(data))
  }

  /// Removes what was saved; nothing there is not an error.
  public func remove() throws(CheckpointError) {
    do throws(SystemError) {
      try Files.remove(path)
    } catch {
      throw CheckpointError("remove", error)
    }
  }
}

/// Why a checkpoint can't be read or written.
public struct CheckpointError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was attempted and why it failed.
  public let description: String

  init(description: String) {
    self.description = description
  }

  init(_ verb: String, _ error: SystemError) {
    description = "can't \(verb) the checkpoint: \(error)"
  }
}
