import ToDoModel
import ToDoStores

#if PostgreSQL
import ToDoPostgreSQLStore
#endif

/// The location of the store.
enum StoreLocation: Equatable, CustomStringConvertible {
  case memory
  case sqlite(path: String)
  /// A connection URI of libpq.
  case postgreSQL(uri: String)

  /// The forms of a location, for help and errors.
  #if PostgreSQL
  static let forms = "sqlite:PATH, postgresql://HOST/DATABASE or memory:"
  static let databases = "sqlite:PATH or postgresql://HOST/DATABASE"
  #else
  static let forms = "sqlite:PATH or memory:"
  static let databases = "sqlite:PATH"
  #endif

  /// Parses a location.
  ///
  /// - Parameter setting: the name of the setting, for errors.
  /// - Throws: `SettingError` without the text, because any text may contain a password.
  init(_ text: String, of setting: String = "store") throws {
    if text == "memory:" {
      self = .memory
    } else if text.hasPrefix("sqlite:"), text != "sqlite:" {
      let path = String(text.dropFirst("sqlite:".count))
      // Errors name the path, so it must not be the address of a database with a password.
      guard !path.contains("://"), !path.contains("password=") else {
        throw SettingError(name: setting, value: "", reason: "has no path after sqlite:; use \(Self.forms)")
      }
      self = .sqlite(path: path)
    } else if ["postgresql://", "postgres://"].contains(where: text.hasPrefix) {
      #if PostgreSQL
      guard PostgreSQLURI(text) != nil else {
        throw SettingError(
          name: setting, value: "",
          reason: "is not a valid connection URI; use postgresql://USER@HOST:PORT/DATABASE, with %40, %2F, %3F and "
            + "%25 for @, /, ? and % in a user name or a password")
      }
      self = .postgreSQL(uri: text)
      #else
      throw SettingError(
        name: setting, value: "postgresql://...",
        reason: "cannot be used: this build has no PostgreSQL; build with the trait PostgreSQL, or use \(Self.forms)")
      #endif
    } else {
      throw SettingError(name: setting, value: "", reason: "is not a valid store; use \(Self.forms)")
    }
  }

  /// Parses the value of an option.
  ///
  /// - Throws: `SettingError`, also if the value contains a password, because other users of the machine can read it.
  init(option text: String, of setting: String = "store") throws {
    try self.init(text, of: setting)
    #if PostgreSQL
    guard case .postgreSQL(let uri) = self, PostgreSQLURI(uri)?.hasPassword == true else { return }
    throw SettingError(
      name: setting, value: "postgresql://...",
      reason: "contains a password, which every user of this machine can read; put it into a file and set PGPASSFILE")
    #endif
  }

  /// The location without a URI, which may contain a password.
  var description: String {
    switch self {
    case .memory: "memory:"
    case .sqlite(let path): "sqlite:\(path.escapingControls())"
    case .postgreSQL: "postgresql://..."
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

  /// Returns the database that an administrative command uses: the one in its option, in `TODO_SERVER_STORE`, in the server's
  /// settings file if there is one, or else the personal list.
  ///
  /// - Parameters:
  ///   - installedSettings: the settings file that the packaged server reads. `TODO_SERVER_CONFIG` names another one.
  ///   - isForbidden: whether this user may not read a file.
  ///   - report: receives a sentence that names the database unless the option did.
  /// - Throws: `SettingError`, also if this user may not read the settings file or the server's database.
  static func ofCommand(
    _ option: String?, environment: (String) -> String? = environmentVariable,
    installedSettings: String = "/etc/todo-server/config.json",
    isForbidden: (String) -> Bool = ThisProcess.isForbidden, report: (String) -> Void = { printError($0) }
  ) throws -> StoreLocation {
    if let option { return try StoreLocation(option: option) }
    var named = environment("TODO_SERVER_STORE").map { (text: $0, source: "TODO_SERVER_STORE") }
    if named == nil,
      let settings = SettingsFile.path(
        environment("TODO_SERVER_CONFIG"), installedAt: installedSettings, isForbidden: isForbidden)
    {
      guard !isForbidden(settings) else { throw SettingError(forbidden: settings, of: "config", environment) }
      named = try SettingsFile(path: settings).store.map { ($0, settings) }
    }
    let location = try named.map { try StoreLocation($0.text) } ?? personal(environment: environment)
    let source = named.map { "from \($0.source)" } ?? "the list that todo uses without a server"
    report("Using \(location), \(source).")
    if named != nil, case .sqlite(let path) = location, isForbidden(path) {
      throw SettingError(forbidden: path, of: "store", environment)
    }
    return location
  }
}

extension SettingError {
  /// Creates the error for a user whose administrative command may not read a file that the server uses.
  fileprivate init(forbidden path: String, of setting: String, _ environment: (String) -> String?) {
    let personal = (try? StoreLocation.personal(environment: environment)).map {
      ", such as '--store \($0)' for the list that todo uses without a server"
    }
    self.init(
      name: setting, value: path,
      reason: "cannot be read by this user; run the command as the server's user with 'sudo -u todo-server', or name "
        + "another database with '--store'\(personal ?? "")")
  }
}
