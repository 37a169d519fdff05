extension SQLiteToDoItemStore {
  /// Where a person's own list is: `todo/items.sqlite` in the data directory that the XDG Base Directory Specification
  /// names (`$XDG_DATA_HOME`, or else `~/.local/share`; a path that is not absolute counts as unset).
  ///
  /// - Parameter environment: looks a variable up.
  /// - Returns: `nil` when neither variable says where.
  public static func defaultPath(environment: (String) -> String?) -> String? {
    if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") { return "\(data)/todo/items.sqlite" }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/share/todo/items.sqlite"
  }
}
