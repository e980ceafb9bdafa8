package import JobModel

/// What the manifest permits a program to handle (RG1, RG3).
package struct HandlerPermission: Hashable, Sendable {
  /// Concrete, or a pattern.
  package var identifier: String
  package var kind: JobKind
  /// The name under which its handler is registered.
  package var handler: String

  package init(identifier: String, kind: JobKind, handler: String) {
    self.identifier = identifier
    self.kind = kind
    self.handler = handler
  }

  /// The name under which the handler of a permitted identifier is registered: a pattern permits
  /// identifiers and doesn't route, so each has a handler of its own name (RG7).
  package func handlerName(for identifier: String) -> String {
    JobIdentifier(self.identifier).isWildcard && handler == self.identifier ? identifier : handler
  }
}

extension [HandlerPermission] {
  /// What permits an identifier: an exact entry, else the longest pattern (RG7); nil when nothing
  /// does.
  package func permission(for identifier: String) -> HandlerPermission? {
    if let exact = first(where: { $0.identifier == identifier }) { return exact }
    return filter { JobIdentifier($0.identifier).covers(JobIdentifier(identifier)) }
      .max { $0.identifier.utf8.count < $1.identifier.utf8.count }
  }
}

extension JobSet {
  /// What these manifests permit a program to handle.
  package var handlerPermissions: [HandlerPermission] {
    jobs.values.compactMap { job in
      guard case .handler(let name) = job.action else { return nil }
      return HandlerPermission(identifier: job.identifier.text, kind: job.kind, handler: name)
    }
  }
}
