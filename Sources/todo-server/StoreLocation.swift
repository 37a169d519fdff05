/// Where the items are kept.
enum StoreLocation: Equatable {
  case memory
  case sqlite(path: String)
  /// The list that `todo` uses without a server.
  case `default`

  /// Reads `memory:` or `sqlite:PATH`.
  ///
  /// - Throws: `SettingError`.
  init(_ text: String) throws {
    if text == "memory:" {
      self = .memory
    } else if text.hasPrefix("sqlite:"), text != "sqlite:" {
      self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
    } else {
      throw SettingError(name: "store", value: text, reason: "is neither sqlite:PATH nor memory:")
    }
  }
}
