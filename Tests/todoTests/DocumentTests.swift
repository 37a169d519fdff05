import Foundation
import Testing

/// Checks the links among the documents of the package.
struct DocumentTests {
  private static let package = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The paths of all documents, relative to the package.
  private static let documents: [String] = {
    let folders = [".github", "Protos", "Sources", "Tests"]
    let paths = folders.flatMap { folder in
      ((try? FileManager.default.subpathsOfDirectory(atPath: package.appending(path: folder).path)) ?? [])
        .filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
    }
    return (["README.md"] + paths).sorted()
  }()

  @Test(arguments: documents) func relativeLinks_resolve(document: String) throws {
    for (path, anchor) in try Self.links(of: document) {
      #expect(FileManager.default.fileExists(atPath: Self.package.appending(path: path).path), "\(path)")
      guard let anchor, path.hasSuffix(".md") else { continue }
      #expect(try Self.anchors(of: path).contains(anchor), "\(path)#\(anchor)")
    }
  }

  @Test func readme_linksEveryDocument() throws {
    let linked = Set(try Self.links(of: "README.md").map(\.path))
    // What another document consists of.
    let parts = ["Protos/API.md", "Protos/TTRPC.md", "Protos/GRPC.md", "Protos/EXAMPLES.md"]
    #expect(Self.documents.filter { $0 != "README.md" && !linked.contains($0) && !parts.contains($0) } == [])
  }

  @Test func readme_isShort() throws {
    #expect(try Data(contentsOf: Self.package.appending(path: "README.md")).count <= 15_000)
  }

  @Test func environmentVariables_areInTheGuide() throws {
    let guide = try Self.text("Sources/todo/README.md")
    let folder = Self.package.appending(path: "Sources/todo")
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      for match in try Self.text("Sources/todo/\(path)").matches(of: /"((?:TODO|XDG)_[A-Z_]+)"/) {
        #expect(guide.contains("`\(match.1)`"), "\(match.1)")
      }
    }
  }

  @Test func guarantees_nameExistingTests() throws {
    let lines = try Self.text("Tests/GUARANTEES.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
    let promises = lines.filter { !$0.hasPrefix("| promise") && !$0.hasPrefix("| ---") }
    #expect(promises.count > 40)
    for promise in promises {
      let cells = promise.split(separator: " | ")
      try #require(cells.count == 3, "\(promise)")
      #expect(cells[2].contains("]("), "names no test: \(promise)")
    }
  }

  @Test(
    arguments: ["ToDoClient", "ToDoModel", "ToDoRPC", "ToDoTransport", "ToDoTTRPC", "ToDoTTRPCTransport"].map {
      ($0, "ToDoClient/ToDoClient.docc/Types.md")
    }
      + ["ToDoGeocoders", "ToDoRules", "ToDoServer", "ToDoStores", "ToDoSupport", "ToDoTesting"].map {
        ($0, "ToDoServer/ToDoServer.docc/ServingTypes.md")
      })
  func types_areAllInTheDocumentation(module: String, page: String) throws {
    let types = try Self.text("Sources/\(page)")
    let folder = Self.package.appending(path: "Sources/\(module)")
    let declaration = /(?m)^public (?:final class|struct|enum|protocol|actor) (\w+)/
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
      for match in try Self.text("Sources/\(module)/\(path)").matches(of: declaration) {
        #expect(types.contains("`\(match.1)`") || types.contains("/\(match.1)`"), "\(match.1)")
      }
    }
  }

  /// Returns the targets of the relative links of a document, as paths relative to the package.
  private static func links(of document: String) throws -> [(path: String, anchor: String?)] {
    let folder = package.appending(path: document).deletingLastPathComponent()
    return try prose(of: document).matches(of: /\]\(([^)\s]+)\)/).compactMap { match in
      let target = match.1
      guard target.wholeMatch(of: /[a-z]+:.*/) == nil else { return nil }
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let file = parts[0].isEmpty ? package.appending(path: document) : folder.appending(path: parts[0])
      return (String(file.standardized.path.dropFirst(package.path.count + 1)), parts.count > 1 ? parts[1] : nil)
    }
  }

  /// Returns the anchors of a document's headings, as GitHub names them.
  private static func anchors(of document: String) throws -> Set<String> {
    var anchors: Set<String> = []
    for match in try prose(of: document).matches(of: /(?m)^#+ (.*)$/) {
      let heading = match.1.replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.lowercased()
      let kept = heading.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }.replacing(" ", with: "-")
      anchors.insert(anchors.contains(kept) ? "\(kept)-1" : kept)
    }
    return anchors
  }

  /// Returns the text of a document without its code.
  private static func prose(of document: String) throws -> String {
    try text(document).replacing(/(?ms)^```.*?^```/, with: "")
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }
}
