import Testing
import ToDoRules
import ToDoStores
import ToDoTestSupport

@Suite(.unitTimeLimited) struct ListStoreContractTests {
  @Test(arguments: ListStoreContract.rules)
  func memory(_ rule: ContractRule<ListStoreContract.Stores>) async throws {
    let items = MemoryToDoItemStore()
    try await rule.check(ListStoreContract.Stores(lists: MemoryAccountStore(lists: items), items: items))
  }

  @Test(arguments: ListStoreContract.rules)
  func sqlite(_ rule: ContractRule<ListStoreContract.Stores>) async throws {
    try await withTemporaryDirectory { directory in
      let items = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite")
      let accounts = try SQLiteAccountStore(path: "\(directory)/items.sqlite")
      try await rule.check(ListStoreContract.Stores(lists: accounts, items: items))
      accounts.close()
      await items.close()
    }
  }
}
