import Synchronization
import ToDoRules

/// The accounts of a store in memory, reloaded when their version changes.
///
/// A lookup never waits for the store once the accounts were read. Refreshes that are requested at the same time share one
/// read, so a flood of invalid tokens keeps at most one read of the store busy.
final class AccountCache: Sendable {
  private struct State {
    var accounts: AccountIndex?
    /// Hashes of tokens that are not valid at the version of `accounts`.
    var invalidTokens = GenerationalCache<Int, Bool>(costLimit: 2048)
  }

  private let store: any AccountStore
  private let onChange: @Sendable (AccountIndex) -> Void
  private let state = Mutex(State())
  private let reads = SharedOperation<AccountIndex>()

  /// - Parameter onChange: called after the first read of the accounts, and after each change. Lookups already see the change
  ///   at that time.
  init(_ store: any AccountStore, onChange: @escaping @Sendable (AccountIndex) -> Void) {
    self.store = store
    self.onChange = onChange
  }

  /// The accounts that were read last, or `nil` before the first read.
  var inMemory: AccountIndex? { state.withLock(\.accounts) }

  /// Returns the accounts that were read last, or reads them for the first time.
  ///
  /// - Throws: `ToDoError.storeUnavailable`.
  func current() async throws -> AccountIndex {
    if let accounts = inMemory { return accounts }
    return try await refreshed()
  }

  /// Returns accounts that were read after this call started.
  ///
  /// - Throws: `ToDoError.storeUnavailable`, `CancellationError`.
  func refreshed() async throws -> AccountIndex {
    try await reads.run { try await self.read() }
  }

  /// Whether the token was found invalid at the current version.
  func isKnownInvalid(_ token: String) -> Bool {
    state.withLock { $0.invalidTokens[token.hashValue] } ?? false
  }

  func rememberInvalid(_ token: String, at version: Int64) {
    state.withLock { state in
      guard state.accounts?.version == version else { return }
      state.invalidTokens.insert(true, for: token.hashValue, cost: 1)
    }
  }

  private func read() async throws -> AccountIndex {
    if let cached = inMemory, try await store.accountVersion() == cached.version { return cached }
    let accounts = AccountIndex(try await store.accounts())
    state.withLock { state in
      state.accounts = accounts
      state.invalidTokens.removeAll()
    }
    onChange(accounts)
    return accounts
  }
}

/// Users and tokens in memory, found by the credentials that callers present.
struct AccountIndex: Sendable {
  let version: Int64
  private var users: [UserKey: User] = [:]
  private var tokens: [AccessTokenID: AccessToken] = [:]

  init(_ accounts: Accounts) {
    version = accounts.version
    for user in accounts.users {
      users[.name(user.name)] = user
      if let unixUser = user.unixUser { users[.unixUser(unixUser)] = user }
      if let subject = user.certificateSubject { users[.certificateSubject(subject)] = user }
    }
    for token in accounts.tokens { tokens[token.id] = token }
  }

  /// Whether a user was ever added to the server.
  var hasHadUsers: Bool { version > 0 }

  subscript(key: UserKey) -> User? { users[key] }

  subscript(id: AccessTokenID) -> AccessToken? { tokens[id] }
}
