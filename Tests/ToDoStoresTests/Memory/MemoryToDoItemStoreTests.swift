import Testing
import ToDoRules
import ToDoStores
import ToDoTestSupport

@Suite(.unitTimeLimited) struct MemoryToDoItemStoreTests {
  @Test(arguments: StoreContract.rules)
  func keepsTheContract(_ rule: ContractRule<any ToDoItemStore>) async throws {
    try await rule.check(MemoryToDoItemStore())
  }

  @Test(arguments: StoreContract.retentionRules)
  func forgetsAsTheContractSays(_ rule: ContractRule<any ToDoItemStore>) async throws {
    try await rule.check(MemoryToDoItemStore(retention: StoreContract.retention))
  }

  @Test func observeExternalChanges_returnsImmediately() async throws {
    try await MemoryToDoItemStore().observeExternalChanges { _ in Issue.record("nothing else can write") }
  }
}
