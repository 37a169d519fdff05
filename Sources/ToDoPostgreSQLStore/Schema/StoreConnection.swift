#if PostgreSQL
import ToDoPostgreSQL

/// The connections of this program to a database.
enum StoreConnection {
  /// The server to connect to if a text names several hosts: a value of libpq's `target_session_attrs`.
  enum Target: String {
    /// The server that accepts writes.
    case primary = "read-write"
    /// A server that replicates the primary, or the primary if no other is available.
    case replica = "prefer-standby"
  }

  /// Returns the settings of a connection.
  ///
  /// The connection is made only to a server of the target, unless the text sets `target_session_attrs`. So a list of
  /// hosts finds the primary after a failover.
  ///
  /// - Parameters:
  ///   - uri: a connection URI or "key=value" text of libpq. Several hosts are allowed.
  ///   - purpose: the part of the program that uses the connection, for `pg_stat_activity`.
  static func settings(_ uri: String, purpose: String, of target: Target = .primary) -> ConnectionSettings {
    var settings = ConnectionSettings(adding(target, to: uri))
    settings.applicationName = "todo-server \(purpose)"
    settings.sessionStatements = sessionStatements
    return settings
  }

  /// Opens a connection.
  ///
  /// - Throws: `PostgreSQLStoreError.cannotConnect`.
  static func open(_ uri: String, purpose: String) throws(PostgreSQLStoreError) -> PostgreSQLConnection {
    let settings = settings(uri, purpose: purpose)
    do throws(PostgreSQLError) {
      return try PostgreSQLConnection(settings)
    } catch {
      throw .cannotConnect(server: settings.redacted, reason: error.message)
    }
  }

  /// The settings that every connection starts with.
  ///
  /// - Every statement names an index by its conditions and its order. Other plans read and sort a whole list, and
  ///   the planner prefers them while it has no statistics.
  /// - Without `jit = off`, the server compiles every plan that it considers expensive only because a kind of plan is
  ///   off.
  private static let sessionStatements = [
    "SET client_min_messages = warning",
    "SET default_transaction_isolation = 'read committed'",
    "SET enable_seqscan = off",
    "SET enable_bitmapscan = off",
    "SET enable_sort = off",
    "SET enable_hashjoin = off",
    "SET enable_mergejoin = off",
    "SET jit = off",
    "SET plan_cache_mode = force_generic_plan",
    timeouts,
    "SET idle_in_transaction_session_timeout = '15s'",
  ]

  /// The server ends statements before the program stops waiting for them (`PostgreSQLConnection.timeout`, 5 s), so that their
  /// locks end too, and the connection stays.
  static let timeouts = "SET statement_timeout = '4500ms'; SET lock_timeout = '3s'"

  /// Returns the text with a target, unless it contains one.
  static func adding(_ target: Target, to text: String) -> String {
    guard !text.contains("target_session_attrs") else { return text }
    let setting = "target_session_attrs=\(target.rawValue)"
    let scheme = ["postgresql://", "postgres://"].first { text.hasPrefix($0) }
    guard let scheme else { return text.isEmpty ? setting : "\(text) \(setting)" }
    // As in libpq, a user name and a password end at the first "@" before any "/". They may contain "?".
    var location = text.dropFirst(scheme.count)
    if let end = location.firstIndex(where: { $0 == "@" || $0 == "/" }), location[end] == "@" {
      location = location[end...]
    }
    guard let query = location.firstIndex(of: "?") else { return "\(text)?\(setting)" }
    return location[query...].dropFirst().isEmpty ? text + setting : "\(text)&\(setting)"
  }
}

/// A connection URI that names one database, however it is read.
package struct PostgreSQLURI {
  private let settings: ConnectionSettings

  /// Checks a connection URI. Returns `nil` if libpq does not accept it, or if an unescaped "@", "/" or "?" makes libpq read a
  /// part of the password as a host, a port or a database.
  package init?(_ text: String) {
    settings = ConnectionSettings(text)
    guard settings.isValid else { return nil }
  }

  /// Whether the URI contains a password.
  package var hasPassword: Bool { settings.hasPassword }
}
#endif
