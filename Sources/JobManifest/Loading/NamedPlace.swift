/// A parameter of a handler that names a place of the machine, as the handler declares it.
package struct NamedPlace: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// A folder that has to be there.
    case folder
    /// A file that has to be there.
    case file
    /// A file that the handler writes: the folder that will hold it has to be there.
    case output
  }

  package var parameter: String
  package var kind: Kind

  package init(_ parameter: String, _ kind: Kind) {
    self.parameter = parameter
    self.kind = kind
  }
}

/// What is at a path of the machine.
package enum FoundPlace: Hashable, Sendable {
  case folder
  case file
  /// Neither: a device, say.
  case other
  case nothing
  /// It may not be looked at.
  case hidden
}
