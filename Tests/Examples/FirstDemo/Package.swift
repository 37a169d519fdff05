// swift-tools-version: 6.2

import PackageDescription

// The smallest package that shows how this project is developed: each function was preceded by its tests.
let package = Package(
  name: "FirstDemo",
  targets: [
    .target(name: "FirstDemo"),
    .testTarget(name: "FirstDemoTests", dependencies: ["FirstDemo"]),
  ]
)
