// swift-tools-version: 6.2

import PackageDescription

// A program that uses other SQLite libraries beside this project's server. All packages that are built together need targets
// of different names, so this package shows that ours leave the names of others alone. The stubs have the target names of
// SQLite.swift and sqlite-nio.
let package = Package(
  name: "SQLiteBeside",
  dependencies: [
    .package(name: "todo", path: "../../..", traits: []),
    .package(path: "Stubs/SQLite.swift"),
    .package(path: "Stubs/sqlite-nio"),
  ],
  targets: [
    .executableTarget(
      name: "SQLiteBeside",
      dependencies: [
        .product(name: "SQLite", package: "SQLite.swift"), .product(name: "SQLiteNIO", package: "sqlite-nio"),
        .product(name: "ToDoServing", package: "todo"),
      ])
  ]
)
