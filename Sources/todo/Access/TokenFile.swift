import PrivateFiles

/// The file in which `todo login` keeps tokens: a line for each server, its endpoint and its token.
struct TokenFile {
  let path: String

  /// - Parameter environment: says where the person's settings are.
  /// - Returns: `nil` when it does not.
  init?(environment: (String) -> String?) {
    guard let directory = environment("XDG_CONFIG_HOME") ?? environment("HOME").map({ "\($0)/.config" }) else {
      return nil
    }
    path = "\(directory)/todo/tokens"
  }

  init(path: String) {
    self.path = path
  }

  /// The token for a server, if there is one.
  ///
  /// - Throws: `PrivateFileError`.
  func token(for endpoint: String) throws -> String? {
    try entries().first { $0.endpoint == endpoint }?.token
  }

  /// Keeps a token for a server in the place of the one before, or forgets it.
  ///
  /// - Returns: whether there was one before.
  @discardableResult
  func set(_ token: String?, for endpoint: String) throws -> Bool {
    var entries = try entries()
    let count = entries.count
    entries.removeAll { $0.endpoint == endpoint }
    let wasThere = entries.count < count
    if let token { entries.append((endpoint, token)) }
    try PrivateFile.write(entries.map { "\($0.endpoint) \($0.token)\n" }.joined(), to: path)
    return wasThere
  }

  private func entries() throws -> [(endpoint: String, token: String)] {
    guard let text = try PrivateFile.read(path, followsLinks: false) else { return [] }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }
  }
}
