#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules

/// The statements that read and change users and tokens.
enum AccountSQL {
  static let version: SQL = "SELECT account_version FROM todo_store"
  /// NULL if `$1` is not the fingerprint key.
  static let schemaVersion: SQL = "SELECT CASE WHEN fingerprint_key = $1 THEN version END FROM todo_store"

  /// Increments the account version if the schema has version `$1`. The lock of the row excludes other changes of
  /// accounts.
  static let incrementVersion: SQL = "UPDATE todo_store SET account_version = account_version + 1 WHERE version = $1"
  /// Makes the writes to the list `$1` of callers whose access was checked before the current account version check
  /// it again. Waits for the transaction that changes the list, which is therefore made before the access ends.
  static let endAccess: SQL =
    "UPDATE list SET access_version = (SELECT account_version FROM todo_store) WHERE name = $1"
  /// `$1` is the ID of this server.
  static let notify: SQL = "SELECT pg_notify('todo_accounts', $1)"

  static let users: SQL = """
    SELECT name, list, unix_user, certificate_subject, created_at FROM todo_user ORDER BY name
    """
  static let userByName: SQL = """
    SELECT name, list, unix_user, certificate_subject, created_at FROM todo_user WHERE name = $1
    """
  static let userByUnixUser: SQL = """
    SELECT name, list, unix_user, certificate_subject, created_at FROM todo_user WHERE unix_user = $1
    """
  static let userByCertificate: SQL = """
    SELECT name, list, unix_user, certificate_subject, created_at FROM todo_user WHERE certificate_subject = $1
    """
  /// The users that may conflict with a new user.
  static let similarUsers: SQL = """
    SELECT name, list, unix_user, certificate_subject, created_at FROM todo_user
    WHERE name = $1 OR unix_user = $2 OR certificate_subject = $3 ORDER BY name
    """
  static let insertUser: SQL = """
    INSERT INTO todo_user (name, unix_user, certificate_subject, list, created_at) VALUES ($1, $2, $3, $4, $5)
    """
  static let deleteUser: SQL = """
    DELETE FROM todo_user WHERE name = $1 RETURNING name, list, unix_user, certificate_subject, created_at
    """

  static let tokens: SQL = """
    SELECT id, user_name, secret_hash, read_only, created_at, expires_at FROM access_token ORDER BY created_at, id
    """
  static let token: SQL = """
    SELECT id, user_name, secret_hash, read_only, created_at, expires_at FROM access_token WHERE id = $1
    """
  static let insertToken: SQL = """
    INSERT INTO access_token (id, user_name, secret_hash, read_only, created_at, expires_at)
    VALUES ($1, $2, $3, $4, $5, $6)
    """
  static let deleteToken: SQL = """
    DELETE FROM access_token WHERE id = $1
    RETURNING (SELECT list FROM todo_user WHERE todo_user.name = access_token.user_name)
    """
  static let deleteTokensOfUser: SQL = "DELETE FROM access_token WHERE user_name = $1"
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

extension User {
  /// The values that must differ from those of every other user: `$1` to `$3`.
  var keyParameters: Parameters {
    var parameters = Parameters.text(name.description)
    parameters.append(unixUser.map(Int64.init))
    parameters.append(certificateSubject)
    return parameters
  }

  /// The parameters of `AccountSQL.insertUser`.
  var parameters: Parameters {
    var parameters = keyParameters
    parameters.append(list.name)
    parameters.append(createdAt.microseconds)
    return parameters
  }

  /// Decodes all rows.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if a row is malformed.
  static func all(in rows: Rows) throws(ToDoError) -> [User] {
    var users: [User] = []
    for row in 0..<rows.count {
      guard let name = UserName(rows.text(row, 0)) else { throw .malformedAccounts }
      users.append(
        User(
          name: name, list: OwnerID(rows.text(row, 1)),
          unixUser: rows.optionalInt64(row, 2).map { UInt32(truncatingIfNeeded: $0) },
          certificateSubject: rows.optionalText(row, 3), createdAt: Timestamp(microseconds: rows.int64(row, 4))))
    }
    if rows.isMalformed { throw .malformedAccounts }
    return users
  }
}

extension AccessToken {
  /// The parameters of `AccountSQL.insertToken`.
  var parameters: Parameters {
    var parameters = Parameters.number(Int64(bitPattern: id.number))
    parameters.append(user.description)
    parameters.append(bytes: secretHash)
    parameters.append(isReadOnly)
    parameters.append(createdAt.microseconds)
    parameters.append(expiresAt?.microseconds)
    return parameters
  }

  /// Decodes all rows.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if a row is malformed.
  static func all(in rows: Rows) throws(ToDoError) -> [AccessToken] {
    var tokens: [AccessToken] = []
    for row in 0..<rows.count {
      guard let user = UserName(rows.text(row, 1)), let hash = rows.optionalBytes(row, 2), hash.count == 32 else {
        throw .malformedAccounts
      }
      tokens.append(
        AccessToken(
          id: AccessTokenID(number: UInt64(bitPattern: rows.int64(row, 0))), user: user, secretHash: hash,
          isReadOnly: rows.bool(row, 3), createdAt: Timestamp(microseconds: rows.int64(row, 4)),
          expiresAt: rows.optionalInt64(row, 5).map(Timestamp.init(microseconds:))))
    }
    if rows.isMalformed { throw .malformedAccounts }
    return tokens
  }
}

extension ToDoError {
  static let malformedAccounts = ToDoError.storeUnavailable(detail: "the stored users or tokens are malformed")
}
#endif
