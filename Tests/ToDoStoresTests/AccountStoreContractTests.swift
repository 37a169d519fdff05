import TestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@Suite struct AccountStoreContractTests {
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
