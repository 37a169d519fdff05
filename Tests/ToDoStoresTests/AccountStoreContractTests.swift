import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoStores
import ToDoTestSupport

@Suite(.unitTimeLimited) struct AccountStoreContractTests {
  @Test(arguments: AccountStoreContract.rules)
  func memory(_ rule: ContractRule<any AccountStore>) async throws {
    try await rule.check(MemoryAccountStore())
  }

  @Test(arguments: AccountStoreContract.rules)
  func sqlite(_ rule: ContractRule<any AccountStore>) async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
      try await rule.check(store)
      store.close()
    }
  }

  @Test(arguments: NotificationTargetContract.rules)
  func targetsInMemory(_ rule: ContractRule<NotificationTargetContract.Store>) async throws {
    try await rule.check(MemoryAccountStore())
  }

  @Test(arguments: NotificationTargetContract.rules)
  func targetsInSQLite(_ rule: ContractRule<NotificationTargetContract.Store>) async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
      try await rule.check(store)
      store.close()
    }
  }

  @Test(arguments: ReminderStateContract.rules)
  func reminderStatesInMemory(_ rule: ContractRule<ReminderStateContract.Store>) async throws {
    try await rule.check(MemoryAccountStore())
  }

  @Test(arguments: ReminderStateContract.rules)
  func reminderStatesInSQLite(_ rule: ContractRule<ReminderStateContract.Store>) async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
      try await rule.check(store)
      store.close()
    }
  }

  @Test func reminderStateInSQLite_whenMalformed_isReported() async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
      let db = try SQLiteConnection(path: "\(directory)/items.sqlite")
      try db.execute("INSERT INTO reminder_state VALUES ('ann', '1', '1', 'sometimes', 1, NULL)")
      try db.close()
      let expected = ToDoError.storeUnavailable(detail: "the stored states of reminders are malformed")
      await #expect(throws: expected) { try await store.reminderStates(of: OwnerID("ann")) }
      store.close()
    }
  }

  @Test func targetInSQLite_whenMalformed_isReported() async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
      let db = try SQLiteConnection(path: "\(directory)/items.sqlite")
      try db.execute("INSERT INTO notification_target VALUES ('ann', '1', 'pager', 'private', 'private')")
      try db.close()
      let expected = ToDoError.storeUnavailable(detail: "the stored notification targets are malformed")
      await #expect(throws: expected) { try await store.notificationTargets(of: OwnerID("ann")) }
      await #expect(throws: expected) { try await store.allNotificationTargets() }
      store.close()
    }
  }

  @Test(arguments: AccessContract.rules)
  func accessInMemory(_ rule: ContractRule<AccessContract.Stores>) async throws {
    let items = MemoryToDoItemStore()
    // A store in memory has no command that purges a list.
    try await rule.check(
      AccessContract.Stores(accounts: MemoryAccountStore(lists: items), items: items) { owner in
        _ = try await items.write(owner) { try $0.delete(.all, at: .sample(), restorableUntil: nil) }
      })
  }

  @Test(arguments: AccessContract.rules)
  func accessInSQLite(_ rule: ContractRule<AccessContract.Stores>) async throws {
    try await withTemporaryDirectory { directory in
      let items = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite")
      let accounts = try SQLiteAccountStore(path: "\(directory)/items.sqlite")
      try await rule.check(
        AccessContract.Stores(accounts: accounts, items: items) { _ = try await accounts.purgeList($0) })
      accounts.close()
      await items.close()
    }
  }

  @Test func sqlite_whenAnotherProcessChangesAccounts_returnsTheChanges() async throws {
    try await withTemporaryDirectory { directory in
      let stores = try (0..<2).map { _ in
        try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
      }
      let version = try await stores[0].accountVersion()
      try await stores[1].addUser(.sample("ann"))
      #expect(try await stores[0].accountVersion() != version)
      #expect(try await stores[0].users() == [.sample("ann")])
      for store in stores { store.close() }
    }
  }

  @Test func sqlite_whenClosed_isUnavailable() async throws {
    try await withTemporaryDirectory { directory in
      let store = try SQLiteAccountStore(path: "\(directory)/items.sqlite", createsIfMissing: true)
      store.close()
      await #expect(throws: ToDoError.self) { try await store.users() }
    }
  }
}
