#if PostgreSQL
/// The text of one statement, whose parameters are `$1`, `$2`, and so on.
///
/// Each connection retains the prepared statement of each text, without a limit. Use few, constant texts, and never
/// write a value into a text.
package struct SQL: Hashable, Sendable {
  /// The text.
  package let text: String

  /// Creates a statement.
  package init(_ text: String) { self.text = text }
}

extension SQL: ExpressibleByStringInterpolation {
  package init(stringLiteral text: String) { self.init(text) }
}

/// A statement with the values of its parameters.
package struct BoundStatement: Sendable {
  /// The statement.
  package let sql: SQL
  /// The values of its parameters.
  package let parameters: Parameters

  /// Creates a statement with values.
  package init(_ sql: SQL, _ parameters: Parameters = Parameters()) {
    self.sql = sql
    self.parameters = parameters
  }
}
#endif
