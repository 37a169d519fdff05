/// Where users and their tokens are kept.
///
/// Every change is whole or not at all, and as durable as the store is when the call returns.
///
/// All operations throw `ToDoError.storeUnavailable` when the store does not work, and those that change something
/// `AccountError` when they refuse. `AccountStoreContract` in TestSupport is this contract as a test suite.
public protocol AccountStore: Sendable {
  /// By name.
  func users() async throws -> [User]

  /// - Throws: `AccountError` when the name, the Unix user or the certificate's subject is somebody's already.
  func addUser(_ user: User) async throws

  /// Removes a user with all their tokens. Their list stays.
  ///
  /// - Throws: `AccountError.noSuchUser`.
  func removeUser(_ name: UserName) async throws -> User

  /// The user with this name, Unix user or certificate, if there is one.
  func user(_ key: UserKey) async throws -> User?

  /// By time of creation.
  func tokens() async throws -> [AccessToken]

  /// - Throws: `AccountError.noSuchUser`.
  func addToken(_ token: AccessToken) async throws

  /// - Throws: `AccountError.noSuchToken`.
  func revokeToken(_ id: AccessTokenID) async throws

  func token(_ id: AccessTokenID) async throws -> AccessToken?

  /// Returns all users and tokens, read together.
  func accounts() async throws -> Accounts

  /// A number that is another one after every change, by whichever process. It is 0 until the first user is added, and
  /// never 0 again: removing all users does not make the store look new.
  ///
  /// It does not wait for the other operations.
  func accountVersion() async throws -> Int64
}

/// What a user is found by.
public enum UserKey: Hashable, Sendable {
  case name(UserName)
  case unixUser(UInt32)
  case certificateSubject(String)
}

/// Why users and tokens stay as they are.
public enum AccountError: Error, Equatable, Sendable {
  case userExists(UserName)
  case unixUserTaken(UInt32, by: UserName)
  case certificateTaken(String, by: UserName)
  case noSuchUser(UserName)
  case noSuchToken(AccessTokenID)
}

extension AccountError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .userExists(let name): "there is a user \(name) already"
    case .unixUserTaken(let user, let name): "the Unix user \(user) is let in as \(name) already"
    case .certificateTaken(let subject, let name): "the certificate of \(subject) lets in \(name) already"
    case .noSuchUser(let name): "there is no user \(name)"
    case .noSuchToken(let id): "there is no token \(id)"
    }
  }
}
