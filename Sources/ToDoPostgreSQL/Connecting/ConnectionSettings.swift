#if PostgreSQL
/// A database's address, and how to connect to it. No description of the settings contains the password.
package struct ConnectionSettings: Sendable {
  private let text: String
  /// The time to connect to any host, and to run `sessionStatements`. By default `connect_timeout` of the text, or 5
  /// seconds. The resolution of host names is not limited.
  package var connectTimeout: Duration
  /// The name in the server's `pg_stat_activity`, unless the text sets `application_name`.
  package var applicationName: String?
  /// Statements that run on each new connection, for example `SET enable_seqscan = off`.
  package var sessionStatements: [String] = []

  /// Creates settings from a connection URI or libpq's `key=value` text:
  /// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
  ///
  /// The text may list several hosts. A connection uses the first host that accepts it and has the
  /// `target_session_attrs`. A host that does not respond for a while does not delay the next one: see
  /// `ConnectionAttempts`.
  package init(_ text: String) {
    self.text = text
    let seconds = ConnectionOptions(text)?["connect_timeout"].flatMap { Int32($0) } ?? 0
    connectTimeout = .seconds(seconds > 0 ? Int(seconds) : 5)
  }

  /// Whether libpq accepts the form of the text, and reads a URI as it was meant.
  package var isValid: Bool { ConnectionOptions(text) != nil }

  /// Whether the text contains a password.
  package var hasPassword: Bool { ConnectionOptions(text)?.hasSecret ?? false }

  /// The options in the text as `key=value`, without passwords.
  package var redacted: String { ConnectionOptions(text)?.redacted ?? "an invalid connection text" }

  /// The options for libpq.
  ///
  /// - Throws: `PostgreSQLError` if the text is invalid.
  func options() throws(PostgreSQLError) -> ConnectionOptions {
    guard var options = ConnectionOptions(text) else {
      throw PostgreSQLError(.other, message: "the connection text is not a valid connection URI or key=value text")
    }
    if let applicationName { options["fallback_application_name"] = applicationName }
    options["client_encoding"] = "UTF8"
    return options
  }
}

extension ConnectionSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { redacted }

  package var debugDescription: String { redacted }

  package var customMirror: Mirror { Mirror(self, children: ["redacted": redacted]) }
}
#endif
