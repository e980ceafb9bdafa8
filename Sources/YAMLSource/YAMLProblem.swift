/// Something that YAML itself, or a limit on hostile input, forbids; told in the file's order.
package struct YAMLProblem: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case encoding(EncodingDefect.Kind)
    /// libyaml's own words, and where the construct began that it was reading.
    case syntax(problem: String, context: String?, contextRange: ByteRange?)
    /// A collection nested deeper than this many levels.
    case depthLimit(Int)
    /// More bytes than this in one file.
    case fileLimit(bytes: Int)
    /// More bytes than this in one scalar.
    case scalarLimit(bytes: Int)
    /// Aliases stand for more than this many times what the file holds.
    case aliasLimit(factor: Int)
    /// An alias inside the value that its own anchor names.
    case selfReference(name: String)
    /// An alias whose anchor stands nowhere before it; `known` are those that do.
    case undefinedAlias(name: String, known: [String])
    case duplicateKey(name: String, first: ByteRange)
  }

  package let kind: Kind
  package let range: ByteRange

  package init(kind: Kind, range: ByteRange) {
    self.kind = kind
    self.range = range
  }
}

/// The bounds that keep hostile input from costing time or memory; each is a problem at its place.
package struct YAMLLimits: Sendable {
  package var depth = 64
  package var fileBytes = 64 << 20
  package var scalarBytes = 1 << 20
  /// How many times the events of a document its aliases may stand for.
  package var aliasFactor = 100

  package init() {}
}
