// swift-tools-version: 6.2

import PackageDescription

// A package that depends on this one as any other would. An application names the repository's URL and a version range
// in place of the path.
let package = Package(
  name: "FirstSteps",
  dependencies: [
    // Without TLS, because the program connects to a server on this machine, and without the traits of the server.
    .package(name: "todo", path: "../../..", traits: [])
  ],
  targets: [
    .executableTarget(name: "FirstSteps", dependencies: [.product(name: "ToDoClient", package: "todo")])
  ]
)
