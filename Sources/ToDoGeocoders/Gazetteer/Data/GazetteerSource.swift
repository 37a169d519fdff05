import CGazetteer

/// Where the gazetteer's bytes are.
enum GazetteerSource: Sendable {
  /// In the program.
  case embedded
  case bytes([UInt8])

  /// - Throws: what the body throws, or `GazetteerError`.
  func withFile<Result>(_ body: (GazetteerFile) throws -> Result) throws -> Result {
    switch self {
    case .embedded:
      let bytes = UnsafeRawBufferPointer(start: todo_gazetteer_bytes(), count: todo_gazetteer_size())
      return try body(GazetteerFile(bytes))
    case .bytes(let bytes):
      return try bytes.withUnsafeBytes { try body(GazetteerFile($0)) }
    }
  }
}
