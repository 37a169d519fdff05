import ToDoStores

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
    } else if let path = SQLiteToDoItemStore.defaultPath(environment: environment) {
      self = .embedded(path: path)
    } else {
      throw Failure.usage("there is no place for the list: set HOME or XDG_DATA_HOME, or name a --server")
    }
  }
}
