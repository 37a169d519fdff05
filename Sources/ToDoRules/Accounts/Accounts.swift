/// All users and tokens of a server, read together at one account version.
public struct Accounts: Equatable, Sendable {
  /// The version that `AccountStore.accountVersion()` returned at the same time.
  public let version: Int64
  /// The users, by name.
  public let users: [User]
  /// The tokens, by time of creation.
  public let tokens: [AccessToken]

  /// Creates a snapshot of the accounts.
  public init(version: Int64, users: [User], tokens: [AccessToken]) {
    self.version = version
    self.users = users
    self.tokens = tokens
  }
}
