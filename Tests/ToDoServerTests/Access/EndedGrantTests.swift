import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestSupport

@testable import ToDoServer

/// Calls in flight whose access ends.
@Suite(.timeLimited) struct EndedGrantTests {
  /// A geocoder that answers when it is told to.
  private struct SlowGeocoder: Geocoder {
    let attribution = ""
    let isAsked = Condition(false)
    let mayAnswer = Condition(false)

    func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
      isAsked.change { $0 = true }
      await mayAnswer.wait { $0 }
      return []
    }
  }

  private enum Store: CaseIterable {
    case memory, sqlite

    func with(_ body: (any ToDoItemStore, any AccountStore) async throws -> Void) async throws {
      switch self {
      case .memory:
        let items = MemoryToDoItemStore()
        try await body(items, MemoryAccountStore(lists: items))
      case .sqlite:
        try await withTemporaryDirectory { directory in
          let items = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite")
          let accounts = try SQLiteAccountStore(path: "\(directory)/items.sqlite")
          try await body(items, accounts)
          accounts.close()
          await items.close()
        }
      }
    }
  }

  private enum End: CaseIterable {
    case revocation, removal, expiry
  }

  private let clock = TestClock()

  private func addToken(_ number: UInt64, to accounts: any AccountStore, expiresIn: Duration? = nil) async throws
    -> CallContext
  {
    let token = BearerToken()
    let expiry = expiresIn.map { clock.now().microseconds + $0.components.seconds * 1_000_000 }
    try await accounts.addToken(
      AccessToken(
        id: token.id, user: .sample("eve"), secretHash: token.secretHash, isReadOnly: false, createdAt: clock.now(),
        expiresAt: expiry.map { Timestamp(microseconds: $0) }))
    var metadata = Metadata()
    metadata.append("authorization", "Bearer \(token)")
    return CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
  }

  private func access(
    _ items: any ToDoItemStore, _ accounts: any AccountStore, _ geocoder: SlowGeocoder
  ) -> AccountAccess {
    AccountAccess(accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []), clock: clock) {
      LocalToDoService(store: items, geocoder: geocoder, owner: $0)
    }
  }

  private let item = NewItem(
    id: .sample(1), content: ItemContent(title: "Secret", location: Location(address: "Somewhere 1")))

  @Test(arguments: Store.allCases, End.allCases)
  private func write_whenItsGrantEndedWhileItWaited_isNotMade(_ store: Store, _ end: End) async throws {
    try await store.with { items, accounts in
      let user = User.sample("eve")
      try await accounts.addUser(user)
      let call = try await addToken(1, to: accounts, expiresIn: .seconds(60))
      let geocoder = SlowGeocoder()
      let list = try await access(items, accounts, geocoder).grant(for: call).listToChange(for: call)
      let write = Task { [item] in
        try await list.addItem(item, options: SaveOptions(savesWithoutCoordinate: true))
      }
      await geocoder.isAsked.wait { $0 }
      switch end {
      case .revocation: for token in try await accounts.tokens() { try await accounts.revokeToken(token.id) }
      case .removal: _ = try await accounts.removeUser(user.name)
      case .expiry: clock.advance(by: .seconds(60))
      }
      if case .removal = end, let accounts = accounts as? SQLiteAccountStore {
        _ = try await accounts.purgeList(user.list)
      }
      geocoder.mayAnswer.change { $0 = true }
      await #expect(throws: ToDoError.unauthenticated) { try await write.value }
      #expect(try await items.items(ItemSelection(limit: 1), of: user.list).items.isEmpty)
    }
  }

  @Test(arguments: Store.allCases)
  private func write_whenAnotherTokenOfItsUserWasRevoked_isMade(_ store: Store) async throws {
    try await store.with { items, accounts in
      let user = User.sample("eve")
      try await accounts.addUser(user)
      _ = try await addToken(1, to: accounts)
      let other = try await accounts.tokens()[0].id
      let call = try await addToken(2, to: accounts)
      let geocoder = SlowGeocoder()
      let list = try await access(items, accounts, geocoder).grant(for: call).listToChange(for: call)
      let write = Task { [item] in
        try await list.addItem(item, options: SaveOptions(savesWithoutCoordinate: true))
      }
      await geocoder.isAsked.wait { $0 }
      try await accounts.revokeToken(other)
      geocoder.mayAnswer.change { $0 = true }
      #expect(try await write.value.title == "Secret")
    }
  }

  @Test func list_whenItsUserIsAddedAgainAfterPurge_canBeChanged() async throws {
    try await Store.sqlite.with { items, accounts in
      let user = User.sample("eve")
      try await accounts.addUser(user)
      _ = try await accounts.removeUser(user.name)
      _ = try await (accounts as? SQLiteAccountStore)?.purgeList(user.list)
      try await accounts.addUser(user)
      let call = try await addToken(1, to: accounts)
      let list = try await access(items, accounts, SlowGeocoder()).grant(for: call).listToChange(for: call)
      let plain = NewItem(id: .sample(1), content: ItemContent(title: "New"))
      #expect(try await list.addItem(plain).title == "New")
    }
  }
}
