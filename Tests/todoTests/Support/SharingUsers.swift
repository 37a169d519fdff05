import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

/// Users of one store in memory, who can share their lists.
struct SharingUsers {
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let directory: ListDirectory

  init() {
    accounts = MemoryAccountStore(lists: items)
    directory = ListDirectory(accounts)
  }

  /// Adds a user, and returns the user's lists.
  func add(_ name: String) async throws -> LocalToDoListService {
    let user = User.sample(name)
    try await accounts.addUser(user)
    return LocalToDoListService(
      directory, defaultList: LocalToDoService(store: items, owner: user.list, clock: TestClock()),
      sharing: ListSharing(by: user.name, among: accounts))
  }
}
