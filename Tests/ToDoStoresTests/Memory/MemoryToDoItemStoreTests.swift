import TestSupport
import Testing
import ToDoModel
import ToDoStores

@Suite struct MemoryToDoItemStoreTests {
  @Test(arguments: StoreContract.rules)
  func keepsTheContract(_ rule: ContractRule<any ToDoItemStore>) async throws {
    try await rule.check(MemoryToDoItemStore())
  }
}
