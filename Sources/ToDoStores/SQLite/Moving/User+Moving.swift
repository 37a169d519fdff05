import ToDoModel
import ToDoRules
import ToDoSQLite

extension User {
  /// Inserts the row of the user.
  func insert(into db: Connection) throws {
    try db.run(
      "INSERT INTO user (\(Self.columns)) VALUES (?, ?, ?, ?, ?)",
      [
        name.description, list.name, unixUser.map(Int64.init), certificateSubject, createdAt.microseconds,
      ])
  }
}

extension AccessToken {
  /// Inserts the row of the token.
  func insert(into db: Connection) throws {
    try db.run(
      "INSERT INTO access_token (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?)",
      [
        Int64(bitPattern: id.number), user.description, secretHash, isReadOnly, createdAt.microseconds,
        expiresAt?.microseconds,
      ])
  }
}
