import Foundation
public import Testing

/// A file with expected output, in the folder `Golden` of the tests that use it.
public struct GoldenFile {
  private let url: URL

  public init(_ name: String, fileID: String = #fileID, filePath: String = #filePath) {
    let tests = fileID.prefix { $0 != "/" }
    var folder = URL(filePath: filePath)
    // A module's name has "_" where its folder's has "-".
    while folder.lastPathComponent.replacing("-", with: "_") != tests, folder.pathComponents.count > 1 {
      folder.deleteLastPathComponent()
    }
    url = folder.appending(components: "Golden", name)
  }

  /// Compares the output with the file. With `UPDATE_GOLDEN=1` in the environment, writes the file instead.
  public func expect(_ output: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(output.utf8).write(to: url)
    }
    let recorded = try String(contentsOf: url, encoding: .utf8)
    #expect(output == recorded, "\(url.lastPathComponent)", sourceLocation: sourceLocation)
  }
}
