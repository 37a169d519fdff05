// swift-tools-version: 6.2

import PackageDescription

// A program of one's own that serves lists from a store and a geocoder of its own. An application names the repository's URL
// and a version range in place of the path.
let package = Package(
  name: "OwnStore",
  dependencies: [
    .package(name: "todo", path: "../../..", traits: [])
  ],
  targets: [
    .target(name: "OwnStore", dependencies: [.product(name: "ToDoServing", package: "todo")]),
    .testTarget(
      name: "OwnStoreTests",
      dependencies: [
        "OwnStore", .product(name: "ToDoClient", package: "todo"), .product(name: "ToDoTesting", package: "todo"),
      ]),
  ]
)
