#if PostgreSQL
import ToDoPostgreSQL
package import ToDoModel
package import ToDoStores

/// The statements on users and tokens that only PostgreSQL has.
enum AccountStoreSQL {
  static let version: SQL = "SELECT account_version FROM todo_store"
  /// NULL if `$1` is not the fingerprint key.
  static let schemaVersion: SQL = "SELECT CASE WHEN fingerprint_key = $1 THEN version END FROM todo_store"

  /// Increments the account version if the schema has version `$1`. The row lock excludes other changes of
  /// accounts.
  static let incrementVersion: SQL = "UPDATE todo_store SET account_version = account_version + 1 WHERE version = $1"
  /// Increments the account version, in a transaction that has checked the schema.
  static let incrementAgain: SQL = "UPDATE todo_store SET account_version = account_version + 1"
  /// Makes the writes of callers whose access was checked before the current account version check it again: to the list `$1`,
  /// and to the further and the shared lists of the same user. Waits for the transactions that change the lists, so that they are
  /// made before the access ends. Locks the lists in the order of their names, as writes do.
  static let endAccess: SQL = """
    WITH ended AS MATERIALIZED (
      SELECT name FROM list WHERE name = $1 OR name IN (SELECT 'list:' || id FROM user_list WHERE owner = $1)
        OR name IN (SELECT 'list:' || list_id FROM list_member WHERE member = $1)
      ORDER BY name FOR NO KEY UPDATE)
    UPDATE list SET access_version = (SELECT account_version FROM todo_store)
    FROM ended WHERE list.name = ended.name
    """
  /// A list without a row needs no lock: its first write adds the row, and waits for the row of the account version, which a change
  /// of lists has locked.
  static let lockItems: SQL = "SELECT FROM list WHERE name = $1 FOR NO KEY UPDATE"
  /// Checks the schema version `$1` before a change to lists.
  static let schemaIsCurrent: SQL = "SELECT 1 FROM todo_store WHERE version = $1"
  /// `$1` is the ID of this server.
  static let notify: SQL = "SELECT pg_notify('todo_accounts', $1)"
}

extension Parameters {
  /// Creates the parameters of a statement with one parameter.
  static func text(_ value: String) -> Parameters {
    var parameters = Parameters()
    parameters.append(value)
    return parameters
  }

  /// Creates the parameters of a statement with one parameter.
  static func number(_ value: Int64) -> Parameters {
    var parameters = Parameters()
    parameters.append(value)
    return parameters
  }
}

/// The tables of users and tokens in a PostgreSQL database.
package struct PostgreSQLAccountTables: AccountTables {
  let connection: PostgreSQLConnection

  package static let sql = AccountSQL(userTable: "todo_user", tokenUser: "user_name", parameterPrefix: "$")
  package static let listSQL = ListSQL(
    itemOwners: "list", versions: "todo_store", lock: " FOR NO KEY UPDATE", parameterPrefix: "$")
  package static let notificationSQL = NotificationSQL(userTable: "todo_user", parameterPrefix: "$")
  package static let reminderSQL = ReminderStateSQL(parameterPrefix: "$")

  package var version: Int64 {
    get throws {
      // A value of a missing row is malformed.
      let rows = try connection.run(AccountStoreSQL.version)
      let version = rows.int64(0, 0)
      if rows.isMalformed { throw ToDoError.malformedAccounts }
      return version
    }
  }

  package func incrementVersion() throws { _ = try connection.run(AccountStoreSQL.incrementAgain) }

  package func endAccess(to list: OwnerID) throws {
    _ = try connection.run(AccountStoreSQL.endAccess, .text(list.name))
  }

  package func lockItems(of list: OwnerID) throws {
    _ = try connection.run(AccountStoreSQL.lockItems, .text(list.name))
  }

  package func rows<Value>(
    of statement: AccountStatement, decode: (PostgreSQLAccountRow) throws -> Value
  ) throws -> [Value] {
    let bound = BoundStatement(statement)
    let rows = try connection.run(bound.sql, bound.parameters)
    let values = try (0..<rows.count).map { try decode(PostgreSQLAccountRow(rows: rows, row: $0)) }
    if rows.isMalformed { throw ToDoError.malformedAccounts }
    return values
  }
}

/// A row of users or tokens.
package struct PostgreSQLAccountRow: AccountRow {
  let rows: Rows
  let row: Int

  package func optionalText(_ column: Int32) -> String? { rows.optionalText(row, Int(column)) }
  package func number(_ column: Int32) -> Int64 { rows.int64(row, Int(column)) }
  package func optionalNumber(_ column: Int32) -> Int64? { rows.optionalInt64(row, Int(column)) }
  package func bytes(_ column: Int32) -> [UInt8]? { rows.optionalBytes(row, Int(column)) }
  package func flag(_ column: Int32) -> Bool { rows.bool(row, Int(column)) }
}

extension BoundStatement {
  init(_ statement: AccountStatement) {
    var parameters = Parameters()
    for value in statement.values {
      switch value {
      case .text(let text): parameters.append(text)
      case .number(let number): parameters.append(number)
      case .bytes(let bytes): parameters.append(bytes: bytes)
      case .flag(let flag): parameters.append(flag)
      }
    }
    self.init(SQL(statement.sql), parameters)
  }
}
#endif
