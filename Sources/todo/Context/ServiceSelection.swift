/// Which service the commands work on.
enum ServiceSelection: Equatable, Sendable {
  /// A server at an endpoint.
  case server(endpoint: String)
  /// The service in this process, over a database file.
  case embedded(path: String)

  /// The option, or else `TODO_SERVER`, or else a database in the person's data directory.
  ///
  /// - Throws: `Failure` when it is not known where the data directory is.
  init(option: String?, environment: (String) -> String?) throws {
    if let endpoint = option ?? environment("TODO_SERVER") {
      self = .server(endpoint: endpoint)
    } else {
      self = .embedded(path: try Self.dataDirectory(environment) + "/todo/items.sqlite")
    }
  }

  /// As the XDG Base Directory Specification says: a path that is not absolute counts as unset.
  private static func dataDirectory(_ environment: (String) -> String?) throws -> String {
    if let path = environment("XDG_DATA_HOME"), path.hasPrefix("/") { return path }
    guard let home = environment("HOME"), home.hasPrefix("/") else {
      throw Failure.usage("there is no place for the list: set HOME or XDG_DATA_HOME, or name a --server")
    }
    return home + "/.local/share"
  }
}
