/// A part of a program's body: something that registers handlers.
public protocol Scene {
  /// Registers the handlers of this part.
  func register(in app: HandlerRegistry)
}

/// A scene without handlers of its own, to which `backgroundTask` adds them.
public struct Handlers: Scene {
  /// Makes the scene.
  public init() {}

  /// Registers nothing.
  public func register(in app: HandlerRegistry) {}
}

/// Several scenes after one another, as a body lists them.
public struct SceneGroup: Scene {
  private let scenes: [any Scene]

  init(_ scenes: [any Scene]) {
    self.scenes = scenes
  }

  /// Registers the handlers of each scene.
  public func register(in app: HandlerRegistry) {
    for scene in scenes { scene.register(in: app) }
  }
}

/// Puts the scenes of a body together.
@resultBuilder
public enum SceneBuilder {
  /// The scenes of a body or branch.
  public static func buildBlock<each Part: Scene>(_ parts: repeat each Part) -> SceneGroup {
    var scenes: [any Scene] = []
    repeat scenes.append(each parts)
    return SceneGroup(scenes)
  }

  /// A branch that may not be taken.
  public static func buildOptional(_ part: SceneGroup?) -> SceneGroup { part ?? SceneGroup([]) }

  /// The first of two branches.
  public static func buildEither(first part: SceneGroup) -> SceneGroup { part }

  /// The second of two branches.
  public static func buildEither(second part: SceneGroup) -> SceneGroup { part }
}
