#if PostgreSQL
import ToDoPostgreSQL

/// A connection URI that names one database, however it is read.
public struct PostgreSQLURI {
  private let settings: ConnectionSettings

  /// Checks a connection URI. Returns `nil` if libpq does not accept it, or if an unescaped "@", "/" or "?" makes libpq read a
  /// part of the password as a host, a port or a database.
  public init?(_ text: String) {
    settings = ConnectionSettings(text)
    guard settings.isValid else { return nil }
  }

  /// Whether the URI contains a password.
  public var hasPassword: Bool { settings.hasPassword }
}
#endif
