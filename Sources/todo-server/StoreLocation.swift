import ToDoStores

/// Where the items are kept.
enum StoreLocation: Equatable {
  case memory
  case sqlite(path: String)

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

  /// The list that `todo` uses without a server.
  ///
  /// - Throws: `SettingError` when the environment does not say where that is.
  static func personal(environment: (String) -> String?) throws -> StoreLocation {
    guard let path = SQLiteToDoItemStore.defaultPath(environment: environment) else {
      throw SettingError(name: "store", value: "", reason: "must be given, as neither HOME nor XDG_DATA_HOME is")
    }
    return .sqlite(path: path)
  }
}
