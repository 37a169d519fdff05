import CToDoGazetteer

/// The source of the gazetteer's bytes.
enum GazetteerSource: Sendable {
  /// The data that is embedded in the program.
  case embedded
  /// The data in a file that is installed with the program.
  case file(MappedFile)
  /// Data in memory, for tests.
  case bytes([UInt8])

  /// Returns the data of the program: embedded, or installed with it.
  ///
  /// - Throws: `GazetteerError.missing`.
  static func ofProgram() throws(GazetteerError) -> GazetteerSource {
    guard todo_gazetteer_bytes() == nil else { return .embedded }
    return .file(try installed.get())
  }

  /// The installed file, which is mapped once.
  private static let installed = Result { () throws(GazetteerError) in
    try MappedFile.gazetteer(of: MappedFile.executable)
  }

  /// Opens the data and calls `body` with it.
  ///
  /// - Throws: the error of `body`, or `GazetteerError`.
  func withFile<Result>(_ body: (GazetteerFile) throws -> Result) throws -> Result {
    switch self {
    case .embedded:
      let bytes = UnsafeRawBufferPointer(start: todo_gazetteer_bytes(), count: todo_gazetteer_size())
      return try body(GazetteerFile(bytes))
    case .file(let file):
      return try file.withBytes { try body(GazetteerFile($0)) }
    case .bytes(let bytes):
      return try bytes.withUnsafeBytes { try body(GazetteerFile($0)) }
    }
  }
}
