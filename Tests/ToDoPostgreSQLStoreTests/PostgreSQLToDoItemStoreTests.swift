#if PostgreSQL
import ToDoPostgreSQL
import Synchronization
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct PostgreSQLToDoItemStoreTests {
  private let database: StoreDatabase

  init() throws {
    database = try StoreDatabase(isMigrated: false)
  }

  @Test(arguments: StoreContract.rules)
  func keepsTheContract(_ rule: ContractRule<any ToDoItemStore>) async throws {
    try await StoreDatabase.withEmptied { database in
      try await checking(try PostgreSQLToDoItemStore(uri: database.uri)) { try await rule.check($0) }
    }
  }

  @Test(arguments: StoreContract.retentionRules)
  func forgetsAsTheContractSays(_ rule: ContractRule<any ToDoItemStore>) async throws {
    let store = try PostgreSQLToDoItemStore(uri: database.uri, retention: StoreContract.retention)
    try await checking(store) { try await rule.check($0) }
  }

  @Test(arguments: ServiceContract.rules)
  func servesAsTheContractSays(_ rule: ContractRule<ServiceContract.Subject>) async throws {
    try await StoreDatabase.withEmptied { database in
      try await checking(try PostgreSQLToDoItemStore(uri: database.uri)) { store in
        let (clock, feedClock, geocoder) = (TestClock(), ManualClock(), MockGeocoder())
        let service = LocalToDoService(
          store: store, feed: ChangeFeed(store, clock: feedClock), geocoder: geocoder, clock: clock)
        try await rule.check(
          ServiceContract.Subject(service: service, clock: clock, feedClock: feedClock, geocoder: geocoder))
      }
    }
  }

  @Test(arguments: ServiceContract.listRules)
  func servesListsAsTheContractSays(_ rule: ContractRule<ServiceContract.Users>) async throws {
    try await StoreDatabase.withEmptied { database in
      let accounts = try PostgreSQLAccountStore(uri: database.uri)
      defer { accounts.close() }
      try await checking(try PostgreSQLToDoItemStore(uri: database.uri)) { store in
        try await rule.check(try await ServiceContract.Users(over: store, accounts))
      }
    }
  }

  @Test(arguments: ServiceContract.reminderRules)
  func tellsRemindersAsTheContractSays(_ rule: ContractRule<ServiceContract.RemindedUsers>) async throws {
    try await StoreDatabase.withEmptied { database in
      let accounts = try PostgreSQLAccountStore(uri: database.uri)
      defer { accounts.close() }
      try await checking(try PostgreSQLToDoItemStore(uri: database.uri)) { store in
        try await rule.check(try await ServiceContract.RemindedUsers(over: store, accounts))
      }
    }
  }

  /// Runs a check, and closes the store.
  private func checking(
    _ store: PostgreSQLToDoItemStore, _ check: (PostgreSQLToDoItemStore) async throws -> Void
  ) async throws {
    do { try await check(store) } catch {
      await store.close()
      throw error
    }
    await store.close()
  }

  // MARK: Several servers

  @Test func store_whenReopened_hasAllItems() async throws {
    let store = try PostgreSQLToDoItemStore(uri: database.uri)
    let item = try await store.add(.sample(1))
    await store.close()
    let reopened = try PostgreSQLToDoItemStore(uri: database.uri)
    #expect(try await reopened.item(item.id, of: .local) == item)
    #expect(reopened.incarnation == store.incarnation)
    #expect(reopened.fingerprintKey == store.fingerprintKey)
    await reopened.close()
  }

  @Test func write_whenTwoServersWriteOneList_showsItsRevisionsInOrder() async throws {
    let stores = try (0..<3).map { _ in try PostgreSQLToDoItemStore(uri: database.uri) }
    let count = 100
    let received = try await withThrowingTaskGroup { group in
      for (index, store) in stores.dropLast().enumerated() {
        group.addTask {
          for number in 0..<count { try await store.add(.sample(UInt64(index * count + number))) }
        }
      }
      var received: [Int64] = []
      // What is visible later than its successors would be missed.
      while received.count < 2 * count, received.last != Int64(2 * count) {
        let after = Revision(received.last ?? 0)
        let page = try await stores[2].changes(ChangeSelection(after: after, limit: .max), of: .local)
        received += page.sets.map(\.revision.number)
      }
      try await group.waitForAll()
      return received
    }
    #expect(received == (1...Int64(2 * count)).map(\.self))
    for store in stores { await store.close() }
  }

  /// Why the row of a list has its revision, and not a sequence.
  @Test func sequence_whenTwoServersWrite_showsItsNumbersOutOfOrder() throws {
    try database.execute("CREATE TABLE naive (revision bigint GENERATED ALWAYS AS IDENTITY)")
    let first = try database.connection()
    try first.execute("BEGIN; INSERT INTO naive DEFAULT VALUES")
    try database.execute("INSERT INTO naive DEFAULT VALUES")
    let before = try database.numbers("SELECT max(revision) FROM naive")
    try first.execute("COMMIT")
    #expect(before == [2])
    #expect(try database.numbers("SELECT count(*) FROM naive WHERE revision > 2") == [0])
    #expect(try database.numbers("SELECT count(*) FROM naive") == [2])
  }

  @Test func observeExternalChanges_whenAnotherServerWrites_reportsItsList() async throws {
    let (store, other) = (
      try PostgreSQLToDoItemStore(uri: database.uri, groupLimit: 256, pollInterval: .seconds(3600)),
      try PostgreSQLToDoItemStore(uri: database.uri)
    )
    let reports = Condition<[ExternalChange]>([])
    let observation = Task {
      try await store.observeExternalChanges { change in reports.change { $0.append(change) } }
    }
    await reports.wait { $0 == [.anyList] }
    try await store.add(.sample(1), to: OwnerID("own"))
    try await other.add(.sample(1), to: OwnerID("other"))
    await reports.wait { $0.contains(.list(OwnerID("other"))) }
    #expect(!reports.value.contains(.list(OwnerID("own"))))
    observation.cancel()
    try await observation.value
    await store.close()
    await other.close()
  }

  @Test func write_afterConnectionsWereTerminated_succeeds() async throws {
    let database = try StoreDatabase(isMigrated: false, isPrivate: true)
    let store = try PostgreSQLToDoItemStore(uri: database.uri)
    let item = try await store.add(.sample(1))
    try database.terminateConnections()
    try await store.add(.sample(2))
    try database.terminateConnections()
    #expect(try await store.item(item.id, of: .local) == item)
    #expect(try await store.items(ItemSelection(limit: 10), of: .local).items.count == 2)
    await store.close()
  }

  // MARK: Round trips

  @Test func service_declaresWhatItsWritesRead() async throws {
    let observer = RecordingObserver()
    let store = try PostgreSQLToDoItemStore(uri: database.uri, observer: observer)
    let service = LocalToDoService(store: store)
    let id = ItemID.sample(1)
    _ = try await service.addItem(NewItem(id: id, content: ItemContent(title: "One")))
    _ = try await service.addItems([NewItem(id: .sample(2), content: ItemContent(title: "Two"))])
    var edit = ItemEdit()
    edit.title = "Three"
    _ = try await service.updateItem(id, edit, ifRevision: nil)
    _ = try await service.checkItem(id, ifRevision: nil)
    _ = try await service.uncheckItem(id, ifRevision: nil)
    _ = try await service.deleteItem(id, ifRevision: nil)
    _ = try await service.undeleteItem(id, ifRevision: nil, allowingDuplicate: true)
    _ = try await service.deleteItems(.all)
    #expect(observer.undeclaredReads == 0)
    // The text of a deleted item is known only in the transaction.
    _ = try await service.undeleteItem(id, ifRevision: nil, allowingDuplicate: false)
    #expect(observer.undeclaredReads == 1)
    await store.close()
  }

  @Test func close_whenClosed_rejectsCalls() async throws {
    let store = try PostgreSQLToDoItemStore(uri: database.uri)
    await store.close()
    let error = ToDoError.storeUnavailable(detail: "the store is closed")
    await #expect(throws: error) { try await store.add(.sample(1)) }
    await #expect(throws: error) { try await store.item(.sample(1), of: .local) }
    await #expect(throws: error) { try await store.items(ItemSelection(limit: 1), of: .local) }
    await #expect(throws: error) { try await store.observeExternalChanges { _ in } }
  }
}

extension ToDoItemStore {
  @discardableResult
  func add(_ item: ToDoItem, to owner: OwnerID = .local) async throws -> ToDoItem {
    try await write(owner) { try $0.add(item) }
  }
}
#endif
