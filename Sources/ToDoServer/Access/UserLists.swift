public import ToDoModel
public import ToDoRules
import ToDoSupport

/// The lists of all users, as a server provides them.
public struct UserLists: Sendable {
  private let directory: ListDirectory
  private let list: LocalToDoService
  private let listLimit: Int
  /// The users with whom lists can be shared; `nil` if lists cannot be shared.
  private let accounts: (any AccountStore)?
  private let observe: @Sendable (LocalToDoService) -> any ToDoService

  /// Provides the lists of a store.
  ///
  /// - Parameters:
  ///   - directory: the only directory of the store in this process, which the server has to monitor.
  ///   - list: any list in the item store, whose settings all lists share.
  ///   - listLimit: the maximum number of a user's lists besides the default one, deleted ones included.
  ///   - accounts: the users of the same store, with whom lists can be shared; `nil` to refuse sharing.
  ///   - observe: returns the same list with metrics or spans.
  public init(
    _ directory: ListDirectory, list: LocalToDoService, listLimit: Int = UserList.Limits.lists,
    sharedAmong accounts: (any AccountStore)? = nil,
    observe: @escaping @Sendable (LocalToDoService) -> any ToDoService = { $0 }
  ) {
    self.directory = directory
    self.list = list
    self.listLimit = listLimit
    self.accounts = accounts
    self.observe = observe
  }

  /// Whether lists can be shared.
  var canBeShared: Bool { accounts != nil }

  /// Returns a user's lists.
  ///
  /// - Parameters:
  ///   - owner: the owner of the user's default list.
  ///   - user: the name of the user, who can share the lists; empty for a caller without one.
  func lists(of owner: OwnerID, user: String = "") -> LocalToDoListService {
    var sharing: ListSharing?
    if let accounts, let user = UserName(user) { sharing = ListSharing(by: user, among: accounts) }
    return LocalToDoListService(
      directory, defaultList: list.list(of: owner), listLimit: listLimit, sharing: sharing)
  }

  /// Looks up a list's items.
  ///
  /// - Throws: `ToDoError.listNotFound`; the pending work also `ToDoError.storeUnavailable`.
  func lookUpItems(in list: ListID, of owner: OwnerID) throws -> Lookup<any ToDoService> {
    switch try lists(of: owner).lookUpItems(in: list) {
    case .ready(let items): .ready(observe(items))
    case .pending(let work): .pending { observe(try await work()) }
    }
  }
}
