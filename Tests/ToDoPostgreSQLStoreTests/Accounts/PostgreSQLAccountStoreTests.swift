#if PostgreSQL
import Dispatch
import ToDoPostgreSQL
import ToDoStores
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct PostgreSQLAccountStoreTests {
  @Test(arguments: AccountStoreContract.rules)
  func contract(_ rule: ContractRule<any AccountStore>) async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase(isMigrated: false).uri, createsIfMissing: true)
    try await rule.check(store)
    store.close()
  }

  @Test(arguments: NotificationTargetContract.rules)
  func targets(_ rule: ContractRule<NotificationTargetContract.Store>) async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase().uri)
    try await rule.check(store)
    store.close()
  }

  @Test(arguments: ReminderStateContract.rules)
  func reminderStates(_ rule: ContractRule<ReminderStateContract.Store>) async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase().uri)
    try await rule.check(store)
    store.close()
  }

  @Test func addTarget_whenServersAddTogether_keepsTheMaximum() async throws {
    let database = try StoreDatabase()
    let stores = try (0..<4).map { _ in try PostgreSQLAccountStore(uri: database.uri) }
    try await stores[0].addUser(.sample("ann"))
    let list = User.sample("ann").list
    let refused = await withTaskGroup(of: Int.self) { group in
      for number in 1...12 as ClosedRange<UInt64> {
        group.addTask {
          do {
            try await stores[Int(number % 4)].addNotificationTarget(.sample(number), of: list)
            return 0
          } catch {
            return error as? ToDoError == .tooManyNotificationTargets(limit: 8) ? 1 : 100
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(refused == 4)
    #expect(try await stores[0].notificationTargets(of: list).count == 8)
    for store in stores { store.close() }
  }

  @Test(arguments: AccessContract.rules)
  func access(_ rule: ContractRule<AccessContract.Stores>) async throws {
    let database = try StoreDatabase()
    let items = try PostgreSQLToDoItemStore(uri: database.uri)
    let accounts = try PostgreSQLAccountStore(uri: database.uri)
    try await rule.check(
      AccessContract.Stores(accounts: accounts, items: items) { _ = try await accounts.purgeList($0) })
    accounts.close()
    await items.close()
  }

  @Test(arguments: ListStoreContract.rules)
  func lists(_ rule: ContractRule<ListStoreContract.Stores>) async throws {
    let database = try StoreDatabase()
    let items = try PostgreSQLToDoItemStore(uri: database.uri)
    let accounts = try PostgreSQLAccountStore(uri: database.uri)
    try await rule.check(ListStoreContract.Stores(lists: accounts, items: items))
    accounts.close()
    await items.close()
  }

  @Test func createList_whenServersCreateTogether_hasVersionsOfItsOwn() async throws {
    let database = try StoreDatabase()
    let stores = try (0..<4).map { _ in try PostgreSQLAccountStore(uri: database.uri) }
    let versions = try await withThrowingTaskGroup(of: Int64.self) { group in
      for (number, store) in stores.enumerated() {
        group.addTask {
          try await store.changeLists(of: OwnerID("ann")) { records in
            let list = NewList(id: ListID(high: 1, low: UInt64(number)), name: "List \(number)")
            return try records.create(list, at: Timestamp(microseconds: 1), limit: 9).version
          }
        }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(versions == [1, 2, 3, 4])
    #expect(try await stores[0].listRecords(of: OwnerID("ann")).furtherLists.count == 4)
    for store in stores { store.close() }
  }

  @Test func init_whenSchemaIsMissing_isRejected() throws {
    let database = try StoreDatabase(isMigrated: false)
    #expect(throws: PostgreSQLStoreError.missing) { try PostgreSQLAccountStore(uri: database.uri) }
    #expect(try StoreSchema.version(try database.connection()) == 0)
  }

  @Test func accounts_whenAnotherServerChangesThem_areCurrent() async throws {
    let database = try StoreDatabase()
    let stores = try (0..<2).map { _ in try PostgreSQLAccountStore(uri: database.uri) }
    let version = try await stores[0].accountVersion()
    try await stores[1].addUser(.sample("ann"))
    #expect(try await stores[0].accountVersion() != version)
    #expect(try await stores[0].users() == [.sample("ann")])
    for store in stores { store.close() }
  }

  @Test func addUser_whenServersAddTheSameUserTogether_succeedsOnce() async throws {
    let database = try StoreDatabase()
    let stores = try (0..<4).map { _ in try PostgreSQLAccountStore(uri: database.uri) }
    let added = await withTaskGroup(of: Int.self) { group in
      for store in stores {
        group.addTask {
          do {
            try await store.addUser(.sample("ann", unixUser: 1))
            return 1
          } catch AccountError.userExists {
            return 0
          } catch {
            Issue.record(error)
            return 0
          }
        }
      }
      return await group.reduce(0, +)
    }
    #expect(added == 1)
    #expect(try await stores[0].accountVersion() == 1)
    for store in stores { store.close() }
  }

  @Test func operations_afterTheConnectionsWereLost_succeed() async throws {
    let database = try StoreDatabase(isPrivate: true)
    let store = try PostgreSQLAccountStore(uri: database.uri)
    try await store.addUser(.sample("ann"))
    _ = try await store.accountVersion()
    try database.terminateConnections()
    try await store.addUser(.sample("bob"))
    try database.terminateConnections()
    #expect(try await store.accountVersion() == 2)
    #expect(try await store.users().count == 2)
    store.close()
  }

  @Test func addUser_whenSchemaBecomesNewer_isRejected() async throws {
    let database = try StoreDatabase()
    let store = try PostgreSQLAccountStore(uri: database.uri)
    #expect(try await store.isSchemaCurrent())
    try database.execute("UPDATE todo_store SET version = version + 1")
    #expect(try await !store.isSchemaCurrent())
    await #expect(throws: ToDoError.self) { try await store.addUser(.sample("ann")) }
    #expect(try await store.users() == [])
    store.close()
  }

  @Test func isSchemaCurrent_whenAnotherStoreWasCopiedIntoTheDatabase_isFalse() async throws {
    let database = try StoreDatabase()
    let store = try PostgreSQLAccountStore(uri: database.uri)
    try database.execute("UPDATE todo_store SET fingerprint_key = '0123456789abcdef'")
    #expect(try await !store.isSchemaCurrent())
    store.close()
  }

  @Test func accounts_whileAnotherOperationWaits_areRead() async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase().uri)
    let (isWaiting, end) = (Condition(false), DispatchSemaphore(value: 0))
    let operation = Task {
      try await store.run { _ in
        isWaiting.change { $0 = true }
        _ = end.wait(timeout: .now() + 30)
        isWaiting.change { $0 = false }
      }
    }
    await isWaiting.wait { $0 }
    _ = try await store.accounts()
    #expect(isWaiting.value)
    end.signal()
    try await operation.value
    store.close()
  }

  @Test func run_whenAnOperationFailsInATransaction_closesTheConnection() async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase().uri)
    await #expect(throws: ToDoError.storeFull) {
      try await store.run { connection -> Void in
        try connection.execute("BEGIN")
        throw ToDoError.storeFull
      }
    }
    #expect(try await store.run { !$0.isInTransaction })
    store.close()
  }

  @Test func addUser_notifiesTheServers() async throws {
    let database = try StoreDatabase(isPrivate: true)
    let store = try PostgreSQLAccountStore(uri: database.uri, serverID: "server 1")
    let connection = try database.connection()
    try connection.execute("LISTEN todo_accounts")
    await #expect(throws: AccountError.self) { try await store.removeUser(.sample("ann")) }
    try await store.addUser(.sample("ann"))
    #expect(try connection.notifications(within: .seconds(60)).map(\.payload) == ["server 1"])
    store.close()
  }

  @Test func users_whenARowIsMalformed_throws() async throws {
    let database = try StoreDatabase()
    let store = try PostgreSQLAccountStore(uri: database.uri)
    try database.execute("INSERT INTO todo_user (name, list, created_at) VALUES ('Not a name', '', 0)")
    await #expect(throws: ToDoError.malformedAccounts) { try await store.users() }
    store.close()
  }

  @Test func operations_whenClosed_areUnavailable() async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase().uri)
    store.close()
    await #expect(throws: ToDoError.storeUnavailable(detail: "the store is closed")) { try await store.users() }
    await #expect(throws: ToDoError.self) { try await store.accountVersion() }
  }

  @Test func operations_whenTaskIsCancelled_throw() async throws {
    let store = try PostgreSQLAccountStore(uri: try StoreDatabase().uri)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      _ = try await store.users()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    store.close()
  }
}
#endif
