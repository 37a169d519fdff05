import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoServer

/// Changes of notification targets in flight whose access ends.
@Suite(.timeLimited) struct EndedNotificationGrantTests {
  private struct NoTester: NotificationTester {
    func sendTest(to target: NotificationTarget) async throws {}
  }

  private enum Store: CaseIterable {
    case memory, sqlite

    func with(_ body: (any AccountStore & NotificationTargetStore) async throws -> Void) async throws {
      switch self {
      case .memory: try await body(MemoryAccountStore())
      case .sqlite:
        try await withTemporaryDirectory { directory in
          let accounts = try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
          try await body(accounts)
          accounts.close()
        }
      }
    }
  }

  /// Adds two tokens of a user, and returns the targets as a caller with the second one was granted them.
  private func targets(
    in accounts: any AccountStore & NotificationTargetStore
  ) async throws -> (LocalNotificationService, AccessTokenID) {
    try await accounts.addUser(.sample("eve"))
    let token = BearerToken()
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("eve"), secretHash: token.secretHash, isReadOnly: false,
        createdAt: Timestamp(microseconds: 0), expiresAt: nil))
    let notifications = UserNotifications(accounts, tester: NoTester())
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []), notifications: notifications
    ) { LocalToDoService(store: MemoryToDoItemStore(), owner: $0) }
    var metadata = Metadata()
    metadata.append("authorization", "Bearer \(token)")
    let call = CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
    return (try notifications.targets(of: try await access.grant(for: call)), token.id)
  }

  @Test(arguments: Store.allCases)
  private func change_afterItsTokenWasRevoked_isNotMade(_ store: Store) async throws {
    try await store.with { accounts in
      let (targets, token) = try await targets(in: accounts)
      let former = try await targets.addNotificationTarget(
        NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/a"))
      try await accounts.revokeToken(token)
      await #expect(throws: ToDoError.unauthenticated) {
        try await targets.addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/b"))
      }
      await #expect(throws: ToDoError.unauthenticated) {
        try await targets.removeNotificationTarget(former.target.id)
      }
      #expect(try await accounts.notificationTargets(of: User.sample("eve").list).map(\.id) == [former.target.id])
    }
  }

  @Test(arguments: Store.allCases)
  private func change_afterOtherAccountsChanged_isMade(_ store: Store) async throws {
    try await store.with { accounts in
      let (targets, _) = try await targets(in: accounts)
      try await accounts.addUser(.sample("bob"))
      _ = try await targets.addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/a"))
      #expect(try await targets.notificationTargets().count == 1)
    }
  }
}
