// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "sqlite-nio",
  products: [.library(name: "SQLiteNIO", targets: ["SQLiteNIO"])],
  targets: [.target(name: "CSQLite"), .target(name: "SQLiteNIO", dependencies: ["CSQLite"])]
)
