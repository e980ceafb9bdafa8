// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ColorFeed",
  dependencies: [
    // In a repository of its own: .package(url: "https://example.com/bgrun.git", from: "0.1.0").
    .package(name: "bgrun", path: "../..")
  ],
  targets: [
    .systemLibrary(
      name: "ColorFeedSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .executableTarget(
      name: "ColorFeed",
      dependencies: [
        "ColorFeedSQLite",
        .product(name: "BGRun", package: "bgrun"),
        .product(name: "BackgroundTasks", package: "bgrun"),
      ]),
  ]
)
