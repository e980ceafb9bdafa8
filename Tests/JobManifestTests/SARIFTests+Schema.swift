import Foundation
import Testing

extension SARIFTests {
  /// A type of sarif-schema-2.1.0.json, as far as reports use it: members that are required, members
  /// that are allowed (none other is), and the types of those that are objects or arrays of them.
  private struct Definition {
    var required: [String] = []
    var plain: [String] = []
    var objects: [String: String] = [:]
    /// Arrays whose items must differ.
    var arrays: [String: String] = [:]
    /// The fewest items of an array.
    var fewest: [String: Int] = [:]
  }

  private static let definitions: [String: Definition] = [
    "sarifLog": Definition(
      required: ["version", "runs"], plain: ["$schema", "version"], arrays: ["runs": "run"]),
    "run": Definition(
      required: ["tool"], plain: ["columnKind"], objects: ["tool": "tool"],
      arrays: ["results": "result"]),
    "tool": Definition(required: ["driver"], objects: ["driver": "toolComponent"]),
    "toolComponent": Definition(
      required: ["name"], plain: ["name", "version"], arrays: ["rules": "reportingDescriptor"]),
    "reportingDescriptor": Definition(
      required: ["id"], plain: ["id"],
      objects: [
        "shortDescription": "multiformatMessageString",
        "fullDescription": "multiformatMessageString", "help": "multiformatMessageString",
        "defaultConfiguration": "reportingConfiguration",
      ]),
    "multiformatMessageString": Definition(required: ["text"], plain: ["text", "markdown"]),
    "reportingConfiguration": Definition(plain: ["level"]),
    "result": Definition(
      required: ["message"], plain: ["ruleId", "ruleIndex", "level", "partialFingerprints"],
      objects: ["message": "message"],
      arrays: ["locations": "location", "relatedLocations": "location", "fixes": "fix"]),
    "message": Definition(required: ["text"], plain: ["text"]),
    "location": Definition(
      plain: ["id"], objects: ["physicalLocation": "physicalLocation", "message": "message"],
      arrays: ["logicalLocations": "logicalLocation"]),
    "logicalLocation": Definition(plain: ["fullyQualifiedName"]),
    "physicalLocation": Definition(
      required: ["artifactLocation"],
      objects: ["artifactLocation": "artifactLocation", "region": "region"]),
    "artifactLocation": Definition(plain: ["uri"]),
    "region": Definition(plain: ["startLine", "startColumn", "endLine", "endColumn"]),
    "fix": Definition(
      required: ["artifactChanges"], objects: ["description": "message"],
      arrays: ["artifactChanges": "artifactChange"], fewest: ["artifactChanges": 1]),
    "artifactChange": Definition(
      required: ["artifactLocation", "replacements"],
      objects: ["artifactLocation": "artifactLocation"], arrays: ["replacements": "replacement"],
      fewest: ["replacements": 1]),
    "replacement": Definition(
      required: ["deletedRegion"],
      objects: ["deletedRegion": "region", "insertedContent": "artifactContent"]),
    "artifactContent": Definition(plain: ["text"]),
  ]

  /// Compares an object and all that it holds with the schema.
  static func check(_ object: [String: Any], as type: String) throws {
    let definition = try #require(definitions[type])
    for name in definition.required { #expect(object[name] != nil, "\(type).\(name) is missing") }
    for (name, value) in object {
      if let type = definition.objects[name] {
        try check(try #require(value as? [String: Any]), as: type)
      } else if let type = definition.arrays[name] {
        let items = try #require(value as? [[String: Any]])
        #expect(items.count >= definition.fewest[name] ?? 0)
        let texts = try items.map {
          try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys)
        }
        #expect(Set(texts).count == items.count, "\(name) has an item twice")
        for item in items { try check(item, as: type) }
      } else {
        #expect(definition.plain.contains(name), "\(type) has no member \(name)")
      }
    }
  }
}
