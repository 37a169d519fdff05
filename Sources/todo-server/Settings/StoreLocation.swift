import ToDoStores

/// The location of the store.
enum StoreLocation: Equatable {
  case memory
  case sqlite(path: String)

  /// Parses `memory:` or `sqlite:PATH`.
  ///
  /// - Throws: `SettingError`.
  init(_ text: String) throws {
    if text == "memory:" {
      self = .memory
    } else if text.hasPrefix("sqlite:"), text != "sqlite:" {
      self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
    } else {
      throw SettingError(name: "store", value: text, reason: "is not a valid store; use sqlite:PATH or memory:")
    }
  }

  /// Returns the location of the list that `todo` uses without a server.
  ///
  /// - Throws: `SettingError` if the environment does not specify the data directory.
  static func personal(environment: (String) -> String?) throws -> StoreLocation {
    guard let path = SQLiteToDoItemStore.defaultPath(environment: environment) else {
      throw SettingError(
        name: "store", value: "",
        reason: "is required if neither HOME nor XDG_DATA_HOME is set; use --store sqlite:PATH")
    }
    return .sqlite(path: path)
  }
}
