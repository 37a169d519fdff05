// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "SQLite.swift",
  products: [.library(name: "SQLite", targets: ["SQLite"])],
  targets: [.target(name: "SQLite")]
)
