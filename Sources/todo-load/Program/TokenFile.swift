import PrivateFiles

/// A file in which there is a token, and nothing else.
enum TokenFile {
  /// - Throws: `PrivateFileError` when there is none, or others than its owner can read it.
  static func read(_ path: String) throws(PrivateFileError) -> String {
    guard let text = try PrivateFile.read(path, followsLinks: true) else {
      throw PrivateFileError(path, "there is no such file")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let token = words.first else {
      throw PrivateFileError(path, "holds \(words.isEmpty ? "no token" : "more than a token")")
    }
    return String(token)
  }
}
