import PrivateFiles

/// A file that contains a token and nothing else.
enum TokenFile {
  /// Returns the token in a file.
  ///
  /// - Throws: `PrivateFileError` if the file does not exist, does not contain exactly one word, or is readable by users
  ///   other than its owner.
  static func read(_ path: String) throws(PrivateFileError) -> String {
    guard let text = try PrivateFile.read(path, followsLinks: true) else {
      throw PrivateFileError(path, "no such file")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let token = words.first else {
      let content = words.isEmpty ? "no token" : "more than one word"
      throw PrivateFileError(path, "contains \(content); it must contain one token")
    }
    return String(token)
  }
}
