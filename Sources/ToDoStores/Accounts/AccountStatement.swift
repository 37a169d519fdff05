import ToDoModel
package import ToDoRules

/// A statement on users and tokens, with the values of its parameters in their order.
package struct AccountStatement: Sendable {
  /// The value of a parameter; `nil` is NULL.
  package enum Value: Sendable {
    case text(String?)
    case number(Int64?)
    case bytes([UInt8])
    case flag(Bool)
  }

  /// The text of the statement.
  package let sql: String
  /// The values of the parameters.
  package let values: [Value]

  init(_ sql: String, _ values: [Value] = []) {
    self.sql = sql
    self.values = values
  }
}

/// The statements on users and tokens, which are the same in every database except for some names.
package struct AccountSQL: Sendable {
  let users, userByName, userByUnixUser, userByCertificate, usersWithList, similarUsers: String
  let insertUser, deleteUser, deleteUsers: String
  let tokens, token, tokensOfUser, insertToken, deleteToken, deleteTokensOfUser, deleteTokens: String

  /// Creates the statements of a database.
  ///
  /// - Parameters:
  ///   - user: the table of users.
  ///   - tokenUser: the column with the user's name in the token table.
  ///   - p: the character before the number of a parameter.
  package init(userTable user: String, tokenUser: String, parameterPrefix p: String) {
    let columns = "name, list, unix_user, certificate_subject, created_at"
    let select = "SELECT \(columns) FROM \(user)"
    users = "\(select) ORDER BY name"
    userByName = "\(select) WHERE name = \(p)1"
    userByUnixUser = "\(select) WHERE unix_user = \(p)1"
    userByCertificate = "\(select) WHERE certificate_subject = \(p)1"
    usersWithList = "\(select) WHERE list = \(p)1 ORDER BY name"
    similarUsers = """
      \(select) WHERE name = \(p)1 OR unix_user = \(p)2 OR certificate_subject = \(p)3 ORDER BY name
      """
    insertUser = "INSERT INTO \(user) (\(columns)) VALUES (\(p)1, \(p)2, \(p)3, \(p)4, \(p)5)"
    deleteUser = "DELETE FROM \(user) WHERE name = \(p)1 RETURNING \(columns)"
    deleteUsers = "DELETE FROM \(user)"

    let tokenColumns = "id, \(tokenUser), secret_hash, read_only, created_at, expires_at, scope"
    tokens = "SELECT \(tokenColumns) FROM access_token ORDER BY created_at, id"
    token = "SELECT \(tokenColumns) FROM access_token WHERE id = \(p)1"
    tokensOfUser = "SELECT \(tokenColumns) FROM access_token WHERE \(tokenUser) = \(p)1 ORDER BY created_at, id"
    insertToken = """
      INSERT INTO access_token (\(tokenColumns)) VALUES (\(p)1, \(p)2, \(p)3, \(p)4, \(p)5, \(p)6, \(p)7)
      """
    deleteToken = """
      DELETE FROM access_token WHERE id = \(p)1
      RETURNING (SELECT list FROM \(user) WHERE \(user).name = access_token.\(tokenUser))
      """
    deleteTokensOfUser = "DELETE FROM access_token WHERE \(tokenUser) = \(p)1"
    deleteTokens = "DELETE FROM access_token"
  }

  func insert(_ user: User) -> AccountStatement {
    AccountStatement(
      insertUser,
      [
        .text(user.name.description), .text(user.list.name), .number(user.unixUser.map(Int64.init)),
        .text(user.certificateSubject), .number(user.createdAt.microseconds),
      ])
  }

  func insert(_ token: AccessToken) -> AccountStatement {
    AccountStatement(
      insertToken,
      [
        .number(Int64(bitPattern: token.id.number)), .text(token.user.description), .bytes(token.secretHash),
        .flag(token.isReadOnly), .number(token.createdAt.microseconds), .number(token.expiresAt?.microseconds),
        .text(token.scope.storedText),
      ])
  }

  /// The statements that replace all users and tokens.
  package func replaceAll(with accounts: Accounts) -> [AccountStatement] {
    [AccountStatement(deleteTokens), AccountStatement(deleteUsers)] + accounts.users.map(insert)
      + accounts.tokens.map(insert)
  }
}
