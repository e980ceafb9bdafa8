// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

/// For the targets that wrap C: every unsafe use is marked where it stands.
let wrapsC = strict + [.strictMemorySafety()]

/// For the face that stands for Apple's framework: to a program in Swift 6 mode it then is what the
/// framework is, a module that doesn't check concurrency (decision 16).
let likeAFramework: [SwiftSetting] = [
  .swiftLanguageMode(.v5),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "bgrun",
  products: [
    .executable(name: "bgrun", targets: ["bgrun"]),
    .library(name: "BGRun", targets: ["BGRun"]),
    .library(name: "BackgroundTasks", targets: ["BackgroundTasks"]),
    .library(name: "BackgroundTasksTesting", targets: ["BackgroundTasksTesting"]),
  ],
  targets: [
    // C, each imported by exactly one Swift target.
    .systemLibrary(
      name: "CLibYAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .target(name: "CLinux"),
    // Needs only the headers of libsystemd-dev: the library is opened at run time.
    .target(name: "CSystemd"),
    // Needs nothing of libarchive: what it uses is declared, and the library opened at run time.
    .target(name: "CArchive"),

    // Values.
    .target(name: "JobModel", swiftSettings: strict),
    .target(name: "YAMLSource", dependencies: ["CLibYAML"], swiftSettings: wrapsC),
    .target(
      name: "JobManifest", dependencies: ["JobModel", "YAMLSource"], swiftSettings: strict),
    .target(name: "JobEngine", dependencies: ["JobModel"], swiftSettings: strict),

    // Adapters.
    .target(name: "LinuxSystem", dependencies: ["CLinux"], swiftSettings: wrapsC),
    .target(name: "SQLiteStore", dependencies: ["JobModel", "CSQLite"], swiftSettings: wrapsC),
    .target(
      name: "DeviceConditions", dependencies: ["JobModel", "LinuxSystem", "CSystemd"],
      swiftSettings: wrapsC),
    .target(name: "TaskHosts", dependencies: ["JobModel", "LinuxSystem"], swiftSettings: strict),
    .target(name: "Archives", dependencies: ["CArchive"], swiftSettings: wrapsC),

    // The shell and the commands.
    .target(
      name: "Runner",
      dependencies: [
        "JobModel", "JobEngine", "LinuxSystem", "SQLiteStore", "DeviceConditions", "TaskHosts",
      ], swiftSettings: strict),
    .target(
      name: "BGRun",
      dependencies: [
        "JobModel", "YAMLSource", "JobManifest", "JobEngine", "LinuxSystem", "SQLiteStore",
        "DeviceConditions", "TaskHosts", "Archives", "Runner",
      ], swiftSettings: strict),
    .target(
      name: "BackgroundTasks", dependencies: ["BGRun", "JobModel", "TaskHosts", "LinuxSystem"],
      swiftSettings: likeAFramework),
    .target(
      name: "BackgroundTasksTesting",
      dependencies: ["BackgroundTasks", "BGRun", "JobModel", "TaskHosts", "LinuxSystem"],
      swiftSettings: strict),
    .executableTarget(name: "bgrun", dependencies: ["BGRun"], swiftSettings: strict),
    .executableTarget(
      name: "bgrun-bench",
      dependencies: ["JobModel", "JobEngine", "SQLiteStore", "StoreConformance"],
      path: "Benchmarks/bgrun-bench", swiftSettings: strict),

    // Tests.
    .target(
      name: "StoreConformance", dependencies: ["JobModel"], path: "Tests/StoreConformance",
      swiftSettings: strict),
    .testTarget(
      name: "JobModelTests", dependencies: ["JobModel"], exclude: ["Tables"],
      swiftSettings: strict),
    .testTarget(name: "YAMLSourceTests", dependencies: ["YAMLSource"], swiftSettings: strict),
    .testTarget(
      name: "JobManifestTests", dependencies: ["JobManifest", "JobModel", "YAMLSource"],
      exclude: ["Fixtures"], swiftSettings: strict),
    .testTarget(
      name: "JobEngineTests", dependencies: ["JobEngine", "JobModel", "StoreConformance"],
      swiftSettings: strict),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: ["SQLiteStore", "JobModel", "StoreConformance"], swiftSettings: strict),
    .testTarget(
      name: "LinuxSystemTests", dependencies: ["LinuxSystem"], swiftSettings: strict),
    .testTarget(
      name: "TaskHostsTests", dependencies: ["TaskHosts", "LinuxSystem", "JobModel"],
      swiftSettings: strict),
    .testTarget(
      name: "DeviceConditionsTests",
      dependencies: ["DeviceConditions", "LinuxSystem", "JobModel"], swiftSettings: strict),
    .testTarget(
      name: "RunnerTests",
      dependencies: [
        "Runner", "JobEngine", "JobModel", "DeviceConditions", "LinuxSystem", "TaskHosts",
        "StoreConformance",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "BGRunTests",
      dependencies: [
        "BGRun", "JobEngine", "JobModel", "JobManifest", "LinuxSystem", "SQLiteStore",
        "TaskHosts",
      ],
      exclude: ["Fixtures"], swiftSettings: strict),
    .executableTarget(
      name: "HandlerFixture", dependencies: ["BGRun"], path: "Tests/HandlerFixture",
      swiftSettings: strict),
    .executableTarget(
      name: "EmbeddedFixture", dependencies: ["BackgroundTasks", "BGRun"],
      path: "Tests/EmbeddedFixture", swiftSettings: strict),
    // One file of an iOS app, in both language modes.
    .target(
      name: "AppleHandlers5", dependencies: ["BackgroundTasks"], path: "Tests/AppleHandlers5",
      swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]),
    .target(
      name: "AppleHandlers6", dependencies: ["BackgroundTasks"], path: "Tests/AppleHandlers6",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .executableTarget(
      name: "AppleFixture", dependencies: ["AppleHandlers6", "BackgroundTasks", "BGRun"],
      path: "Tests/AppleFixture", swiftSettings: strict),
    .testTarget(
      name: "BackgroundTasksTests",
      dependencies: [
        "AppleHandlers5", "AppleHandlers6", "BackgroundTasks", "BackgroundTasksTesting", "BGRun",
        "JobModel", "TaskHosts",
      ], swiftSettings: strict),
    // The example is a package of its own; here its sources are built for the end-to-end tests.
    .systemLibrary(
      name: "ExampleSQLite", path: "Examples/ColorFeed/Sources/ColorFeedSQLite",
      pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "ColorFeedExample", dependencies: ["ExampleSQLite", "BackgroundTasks", "BGRun"],
      path: "Examples/ColorFeed/Sources/ColorFeed",
      swiftSettings: [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "bgrun", "HandlerFixture", "EmbeddedFixture", "AppleFixture", "ColorFeedExample",
      ],
      swiftSettings: strict),
  ]
)
