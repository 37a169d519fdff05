public import ToDoModel
public import ToDoRules
import ToDoSupport

/// The lists of all users, as a server provides them.
public struct UserLists: Sendable {
  private let directory: ListDirectory
  private let list: LocalToDoService
  private let listLimit: Int
  private let observe: @Sendable (LocalToDoService) -> any ToDoService

  /// Provides the lists of a store.
  ///
  /// - Parameters:
  ///   - directory: the only directory of the store in this process, which the server has to monitor.
  ///   - list: any list of the store of items, whose settings all lists share.
  ///   - listLimit: the maximum number of a user's lists besides the default one, deleted ones included.
  ///   - observe: returns the same list with metrics or spans.
  public init(
    _ directory: ListDirectory, list: LocalToDoService, listLimit: Int = UserList.Limits.lists,
    observe: @escaping @Sendable (LocalToDoService) -> any ToDoService = { $0 }
  ) {
    self.directory = directory
    self.list = list
    self.listLimit = listLimit
    self.observe = observe
  }

  /// Returns the lists of a user.
  ///
  /// - Parameter owner: the owner of the user's default list.
  func lists(of owner: OwnerID) -> LocalToDoListService {
    LocalToDoListService(directory, defaultList: list.list(of: owner), listLimit: listLimit)
  }

  /// Looks the items of a list up.
  ///
  /// - Throws: `ToDoError.listNotFound`; the pending work also `ToDoError.storeUnavailable`.
  func lookUpItems(in list: ListID, of owner: OwnerID) throws -> Lookup<any ToDoService> {
    switch try lists(of: owner).lookUpItems(in: list) {
    case .ready(let items): .ready(observe(items))
    case .pending(let work): .pending { observe(try await work()) }
    }
  }
}
