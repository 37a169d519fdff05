import Testing
public import ToDoModel
public import ToDoRules
import ToDoSupport

extension ServiceContract {
  /// The lists of the users ann, bob and cat, who have nothing yet but their default lists.
  public struct Users: Sendable {
    /// The lists of each user.
    public var ann: any ToDoListService, bob: any ToDoListService, cat: any ToDoListService
    /// The clock of all lists.
    public let clock: TestClock
    /// The lists in the store, to serve them.
    package let directory: ListDirectory
    /// A list of the store, with whose settings to serve the others.
    package let list: LocalToDoService

    /// The names of the users.
    package static let names = ["ann", "bob", "cat"]

    /// Adds the users to an empty store, and applies the rules of lists to it.
    ///
    /// To check the lists over a connection, serve them, and replace each user's with a client.
    ///
    /// - Parameters:
    ///   - store: the store of items.
    ///   - accounts: the store of users and lists in the same database.
    public init(over store: any ToDoItemStore, _ accounts: any AccountStore & ListStore) async throws {
      let (clock, directory) = (TestClock(), ListDirectory(accounts))
      let list = LocalToDoService(store: store, clock: clock).among(directory)
      for name in Self.names { try await accounts.addUser(.sample(name)) }
      func lists(of name: String) -> LocalToDoListService {
        let user = User.sample(name)
        return LocalToDoListService(
          directory, defaultList: list.list(of: user.list), sharing: ListSharing(by: user.name, among: accounts)
        ).attributed(to: ChangeOrigin(user: name), under: nil)
      }
      (ann, bob, cat) = (lists(of: "ann"), lists(of: "bob"), lists(of: "cat"))
      (self.clock, self.directory, self.list) = (clock, directory, list)
    }
  }

  typealias ListRule = ContractRule<Users>

  /// The rules of lists, of moves between them, and of sharing them.
  public static let listRules: [ContractRule<Users>] = [
    creatingLists, changingLists, itemsOfLists, moving, revertingMoves, inviting, memberships, roles,
  ].flatMap(\.self)
}

extension ServiceContract.Users {
  /// Creates a list of ann.
  func makeList(_ name: String = "Work") async throws -> ListID { try await ann.createList(NewList(name: name)).id }

  /// Creates a list of ann that bob has accepted.
  func makeSharedList(as role: ListRole = .editor) async throws -> ListID {
    let list = try await makeList()
    _ = try await ann.shareList(list, with: "bob", as: role)
    _ = try await bob.acceptList(list)
    return list
  }

  /// Adds an item with a new ID, one millisecond after the previous item.
  ///
  /// - Parameter user: the lists of the user who adds the item; `nil` for ann's.
  @discardableResult
  func add(
    _ title: String, to list: ListID = .default, of user: (any ToDoListService)? = nil
  ) async throws -> ToDoItem {
    try await add(ItemContent(title: title), to: list, of: user)
  }

  @discardableResult
  func add(
    _ content: ItemContent, to list: ListID = .default, of user: (any ToDoListService)? = nil
  ) async throws -> ToDoItem {
    clock.advance(by: .milliseconds(1))
    return try await (user ?? ann).items(in: list).addItem(NewItem(id: ItemID(time: clock.now()), content: content))
  }

  /// Returns the titles of the items in a list, in the order in which these were added.
  ///
  /// - Parameter user: the lists of the user who reads them; `nil` for ann's.
  func titles(in list: ListID = .default, of user: (any ToDoListService)? = nil) async throws -> [String] {
    try await (user ?? ann).items(in: list).items(ItemQuery(order: .created)).items.map(\.title)
  }

  /// Returns the latest revision in the history of a list of ann.
  func latest(in list: ListID = .default) async throws -> RevisionRecord {
    try #require(try await ann.items(in: list).history(HistoryQuery()).revisions.first)
  }
}

/// Expects `listNotFound`.
func expectNoList<Value>(
  _ list: ListID, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: () async throws -> Value
) async {
  await #expect(throws: ToDoError.listNotFound(list), comment, sourceLocation: sourceLocation) {
    _ = try await operation()
  }
}

/// Expects `notPermitted`.
func expectNotPermitted<Value>(
  _ needed: ListRole, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
  _ operation: () async throws -> Value
) async {
  await #expect(throws: ToDoError.notPermitted(needed: needed), comment, sourceLocation: sourceLocation) {
    _ = try await operation()
  }
}
