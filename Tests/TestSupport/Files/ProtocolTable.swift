import FoundationEssentials

/// A table of Protos/PROTOCOL.md.
package enum ProtocolTable {
  /// The rows of the first table under a heading, without its head; each row is its cells.
  package static func rows(under heading: String) throws -> [[String]] {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = String(decoding: try Data(contentsOf: package.appending(path: "Protos/PROTOCOL.md")), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != heading }.drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }.dropFirst(2).map {
      $0.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false).map { cell in
        String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
    }
  }
}
