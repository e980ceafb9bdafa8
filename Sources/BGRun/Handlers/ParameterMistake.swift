import FoundationEssentials

/// Parameters that don't fit what a handler declared.
package struct ParameterMistake: Error, Hashable, Sendable {
  /// The keys and numbers that lead to the value.
  package let path: [String]
  /// What is wrong, and where in the parameters, without its full stop.
  package let sentence: String

  static func decode<Parameters: Decodable>(
    _ type: Parameters.Type, from text: String
  ) throws(ParameterMistake) -> Parameters {
    // What most handlers take isn't worth a decoder.
    if text == "{}", let none = NoParameters() as? Parameters { return none }
    do {
      return try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch let error as DecodingError {
      throw ParameterMistake(path: path(of: error), sentence: sentence(for: error))
    } catch {
      throw ParameterMistake(path: [], sentence: "\(error)")
    }
  }

  private static func path(of error: DecodingError) -> [String] {
    switch error {
    case .keyNotFound(_, let context), .typeMismatch(_, let context),
      .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    @unknown default: []
    }
  }

  private static func sentence(for error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context):
      "\(path(context.codingPath + [key])) is missing"
    case .typeMismatch(let type, let context):
      "\(path(context.codingPath)) must be \(typeName(type))"
    case .valueNotFound(let type, let context):
      "\(path(context.codingPath)) must be \(typeName(type)), not null"
    case .dataCorrupted(let context):
      "\(path(context.codingPath)): \(context.debugDescription)"
    @unknown default: "\(error)"
    }
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    guard !keys.isEmpty else { return "with" }
    return keys.reduce("with") { text, key in
      key.intValue.map { "\(text)[\($0)]" } ?? "\(text).\(key.stringValue)"
    }
  }

  private static func typeName(_ type: any Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is any FixedWidthInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    case is [String: Any].Type: "a mapping"
    default: "a value of type \(type)"
    }
  }
}

/// The parameters of a handler that takes none: a `with` that isn't empty doesn't fit it.
public struct NoParameters: Decodable, Hashable, Sendable {
  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init() {}

  /// - Throws: `DecodingError` when there is any parameter.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: AnyKey.self)
    guard let key = container.allKeys.map(\.stringValue).min() else { return }
    throw DecodingError.dataCorrupted(
      .init(
        codingPath: decoder.codingPath,
        debugDescription: "the handler takes no parameters, and there is \(key)"))
  }
}
