import ToDoSupport

/// A file that contains a token and nothing else.
enum TokenFile {
  /// Returns the token in a file.
  ///
  /// - Throws: `UsageError` without the path, which may be a token, if the file does not exist; `PrivateFileError` if it does not contain exactly one word, or is readable by users
  ///   other than its owner.
  static func read(_ path: String) throws -> String {
    guard let text = try PrivateFile.read(path, followsLinks: true) else {
      throw UsageError("there is no such token file; use '--token-file' or TODO_TOKEN_FILE with the path of a file")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let token = words.first else {
      let content = words.isEmpty ? "no token" : "more than one word"
      throw PrivateFileError(path, "contains \(content); it must contain one token")
    }
    return String(token)
  }
}
