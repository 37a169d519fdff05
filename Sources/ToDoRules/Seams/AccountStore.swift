public import ToDoModel

/// Stores users and their tokens.
///
/// Every change is atomic, and as durable as the store when the call returns.
///
/// All operations throw `ToDoError.storeUnavailable` if the store fails. Operations that change something throw
/// `AccountError` if they reject the change. `AccountStoreContract` in ToDoTesting is this contract as a test suite.
public protocol AccountStore: Sendable {
  /// Returns all users, by name.
  func users() async throws -> [User]

  /// Adds a user.
  ///
  /// - Throws: `AccountError` if another user has the name, the Unix user or the certificate's subject.
  func addUser(_ user: User) async throws

  /// Removes a user with all tokens and notification targets, and returns the user. The user leaves the lists of others, and
  /// the user's invitations are withdrawn. The lists of the user are not deleted, and remain for those who have accepted them.
  ///
  /// - Throws: `AccountError.noSuchUser`.
  func removeUser(_ name: UserName) async throws -> User

  /// Returns the user with this name, Unix user or certificate, or `nil`.
  func user(_ key: UserKey) async throws -> User?

  /// Returns the users with a default list, by name.
  func users(withList list: OwnerID) async throws -> [User]

  /// Returns all tokens, by time of creation.
  func tokens() async throws -> [AccessToken]

  /// Returns the tokens of a user, by time of creation. Without an implementation, reads all tokens.
  func tokens(of user: UserName) async throws -> [AccessToken]

  /// Adds a token.
  ///
  /// - Throws: `AccountError.noSuchUser`.
  func addToken(_ token: AccessToken) async throws

  /// Revokes a token.
  ///
  /// - Throws: `AccountError.noSuchToken`.
  func revokeToken(_ id: AccessTokenID) async throws

  /// Returns a token, or `nil`.
  func token(_ id: AccessTokenID) async throws -> AccessToken?

  /// Returns all users and tokens, read together.
  func accounts() async throws -> Accounts

  /// Returns a number that differs after every change by any process. It is 0 until the first user is added, and never
  /// 0 afterwards: a store whose users were all removed does not look new.
  ///
  /// The call does not wait for other operations.
  func accountVersion() async throws -> Int64
}

extension AccountStore {
  public func tokens(of user: UserName) async throws -> [AccessToken] { try await tokens().filter { $0.user == user } }
}

/// A key for finding a user. Subjects are equal if they have the same bytes, as in the databases.
@nonexhaustive
public enum UserKey: Hashable, Sendable {
  case name(UserName)
  case unixUser(UInt32)
  case certificateSubject(String)

  /// Whether two keys find the same user in every store.
  public static func == (left: UserKey, right: UserKey) -> Bool {
    switch (left, right) {
    case (.name(let left), .name(let right)): left == right
    case (.unixUser(let left), .unixUser(let right)): left == right
    case (.certificateSubject(let left), .certificateSubject(let right)): left.hasSameBytes(as: right)
    default: false
    }
  }
}

/// The reason why a change of users or tokens was rejected.
@nonexhaustive
public enum AccountError: Error, Equatable, Sendable {
  case userExists(UserName)
  case unixUserTaken(UInt32, by: UserName)
  case certificateTaken(String, by: UserName)
  case noSuchUser(UserName)
  case noSuchToken(AccessTokenID)
}

extension AccountError: CustomStringConvertible {
  /// A human-readable message.
  public var description: String {
    switch self {
    case .userExists(let name): "the user \(name) already exists"
    case .unixUserTaken(let user, let name): "the Unix user \(user) already authenticates as \(name)"
    case .certificateTaken(let subject, let name):
      "the certificate subject \(subject.escapingControls()) already authenticates \(name)"
    case .noSuchUser(let name): "the user \(name) does not exist"
    case .noSuchToken(let id): "the token \(id) does not exist"
    }
  }
}
