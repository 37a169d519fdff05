package import ToDoModel
package import ToDoRules

/// A store of users, tokens and lists in the same database as the items.
///
/// Several processes may use one database, so that users can be managed while servers run.
package protocol DatabaseAccountStore: AccountStore, ListStore, NotificationTargetStore,
  ReminderStateStore
{
  associatedtype Tables: AccountTables

  /// Runs `body`, whose statements only read.
  func read<Value: Sendable>(_ body: @escaping @Sendable (Tables) throws -> Value) async throws -> Value

  /// Runs `body` in a transaction, and increments the account version.
  ///
  /// - Parameter body: returns its value and the list to which it may have ended a caller's access. Later writes of callers
  ///   whose access was checked before check it again.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (Tables) throws -> (Value, endingAccessTo: OwnerID?)
  ) async throws -> Value

  /// Runs `body`, whose statements only read, without waiting for other operations.
  func readImmediately<Value: Sendable>(_ body: @escaping @Sendable (Tables) throws -> Value) async throws -> Value

  /// Runs `body` in a transaction that changes no users or tokens.
  func writeLists<Value: Sendable>(_ body: @escaping @Sendable (Tables) throws -> Value) async throws -> Value

  /// Returns whether the database still has the schema of this program and the store that was opened. If not, every write of
  /// this program fails.
  ///
  /// - Throws: `ToDoError.storeUnavailable`.
  func isSchemaCurrent() async throws -> Bool

  /// Waits until the running operations are complete, and closes the connections. Later calls throw
  /// `ToDoError.storeUnavailable`.
  func close()
}

extension DatabaseAccountStore {
  public func users() async throws -> [User] { try await read { try $0.users() } }

  public func addUser(_ user: User) async throws {
    try await write { tables in
      try tables.add(user)
      // The first user ends access without credentials, and a Unix user with its own list ends its access to this one.
      return ((), endingAccessTo: OwnerID.local)
    }
  }

  public func removeUser(_ name: UserName) async throws -> User {
    try await write { tables in
      let user = try tables.removeUser(name)
      return (user, endingAccessTo: user.list)
    }
  }

  public func user(_ key: UserKey) async throws -> User? { try await read { try $0.user(key) } }

  public func users(withList list: OwnerID) async throws -> [User] { try await read { try $0.users(withList: list) } }

  public func tokens() async throws -> [AccessToken] { try await read { try $0.tokens() } }

  public func tokens(of user: UserName) async throws -> [AccessToken] { try await read { try $0.tokens(of: user) } }

  public func addToken(_ token: AccessToken) async throws {
    // The lock on the account version keeps the user from being removed before the commit.
    try await write { tables in (try tables.add(token), endingAccessTo: nil) }
  }

  public func revokeToken(_ id: AccessTokenID) async throws {
    try await write { tables in ((), endingAccessTo: try tables.revokeToken(id)) }
  }

  public func token(_ id: AccessTokenID) async throws -> AccessToken? { try await read { try $0.token(id) } }
}
