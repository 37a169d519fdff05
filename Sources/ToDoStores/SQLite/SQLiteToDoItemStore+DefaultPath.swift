extension SQLiteToDoItemStore {
  /// Returns the path of the user's own list: `todo/items.sqlite` in the data directory of the XDG Base Directory
  /// Specification (`$XDG_DATA_HOME`, or else `~/.local/share`; a path that is not absolute counts as unset).
  ///
  /// - Parameter environment: returns the value of a variable.
  /// - Returns: `nil` if neither variable is set.
  public static func defaultPath(environment: (String) -> String?) -> String? {
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/todo/items.sqlite" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/share/todo/items.sqlite"
  }
}
