import FoundationEssentials

/// A table of the protocol's documents.
package enum ProtocolTable {
  /// The rows of the first table under a heading, without its head; each row is its cells.
  package static func rows(under heading: String) throws -> [[String]] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let lines = try ["API.md", "TTRPC.md", "GRPC.md"].flatMap { name in
      let text = String(decoding: try Data(contentsOf: package.appending(path: "Protos/\(name)")), as: UTF8.self)
      return text.split(separator: "\n", omittingEmptySubsequences: false)
    }
    let section = lines.drop { $0 != heading }
    let table = section.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    return table.dropFirst(2).map(cells(of:))
  }

  private static func cells(of row: Substring) -> [String] {
    let cells = row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
    return cells.map { cell in
      let start = cell.drop { $0 == " " }
      return String(start[..<(start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex)])
    }
  }
}
