import ToDoSupport

/// The file in which `todo login` stores tokens: one line per server, with its endpoint and its token.
struct TokenFile {
  let path: String

  /// Creates the token file in the user's configuration directory.
  ///
  /// - Parameter environment: returns the value of an environment variable.
  /// - Returns: `nil` if neither XDG_CONFIG_HOME nor HOME is set.
  init?(environment: (String) -> String?) {
    guard let directory = environment("XDG_CONFIG_HOME") ?? environment("HOME").map({ "\($0)/.config" }) else {
      return nil
    }
    path = "\(directory)/todo/tokens"
  }

  /// Creates a token file at a path.
  init(path: String) {
    self.path = path
  }

  /// Returns the token for a server, or `nil` if none is stored.
  ///
  /// - Throws: `PrivateFileError`.
  func token(for endpoint: String) throws -> String? {
    try entries().first { $0.endpoint == endpoint }?.token
  }

  /// Stores the token for a server, or deletes it if `token` is `nil`.
  ///
  /// - Returns: whether a token was stored before.
  /// - Throws: `PrivateFileError`.
  @discardableResult
  func set(_ token: String?, for endpoint: String) throws -> Bool {
    var entries = try entries()
    let count = entries.count
    entries.removeAll { $0.endpoint == endpoint }
    let wasStored = entries.count < count
    if let token { entries.append((endpoint, token)) }
    try PrivateFile.write(entries.map { "\($0.endpoint) \($0.token)\n" }.joined(), to: path)
    return wasStored
  }

  private func entries() throws -> [(endpoint: String, token: String)] {
    guard let text = try PrivateFile.read(path, followsLinks: false) else { return [] }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }
  }
}
