import CGazetteer

/// The source of the gazetteer's bytes.
enum GazetteerSource: Sendable {
  /// The data that is embedded in the program.
  case embedded
  /// Data in memory, for tests.
  case bytes([UInt8])

  /// Opens the data and calls `body` with it.
  ///
  /// - Throws: the error of `body`, or `GazetteerError`.
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
