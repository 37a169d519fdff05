import Foundation
import Testing

/// A file with the text that a report or help should have.
struct GoldenFile {
  private let url: URL

  init(_ name: String) {
    url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(components: "Golden", name)
  }

  /// Compares; with `UPDATE_GOLDEN=1` in the environment, writes instead.
  func expect(_ output: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(output.utf8).write(to: url)
    }
    let recorded = try String(contentsOf: url, encoding: .utf8)
    #expect(output == recorded, "\(url.lastPathComponent)", sourceLocation: sourceLocation)
  }
}
