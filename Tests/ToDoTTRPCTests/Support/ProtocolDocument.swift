import FoundationEssentials
import ToDoTestSupport

/// The worked examples of the protocol, and the schema of the error reasons.
struct ProtocolDocument {
  /// The bytes of the fenced blocks that begin with "```hex NAME".
  let blocks: [String: [UInt8]]

  init() throws {
    let fenced = try Self.text("EXAMPLES.md").split(separator: "```hex ").dropFirst().map { $0.prefix { $0 != "`" } }
    blocks = try Dictionary(
      uniqueKeysWithValues: fenced.map { block in
        let name = block.prefix { !$0.isNewline }
        return (String(name), try hex(String(block.dropFirst(name.count))))
      })
  }

  /// The code that the schema's comments give each reason of an enumeration.
  static func codes(ofReasonsAfter prefix: String) throws -> [String: String] {
    var codes: [String: String] = [:]
    var code = ""
    for line in try text("todo/v1/errors.proto").split(separator: "\n") {
      if let bracket = line.firstMatch(of: /^  \/\/ \[([A-Z_]+)\]/) { code = String(bracket.1) }
      guard let value = line.firstMatch(of: /^  ([A-Z_]+) = ([0-9]+);/), value.1.hasPrefix(prefix), value.2 != "0"
      else {
        continue
      }
      codes[String(value.1.dropFirst(prefix.count))] = code
    }
    return codes
  }

  /// The bytes of the golden vectors that are frames, by name.
  static func frameVectors() throws -> [String: [UInt8]] {
    struct Vector: Decodable {
      let name: String
      let hex: String
    }
    let vectors = try JSONDecoder().decode([Vector].self, from: Data(text("vectors/frames.json").utf8))
    return try Dictionary(uniqueKeysWithValues: vectors.map { ($0.name, try hex($0.hex)) })
  }

  private static func text(_ path: String) throws -> String {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return String(decoding: try Data(contentsOf: package.appending(path: "Protos/\(path)")), as: UTF8.self)
  }
}
