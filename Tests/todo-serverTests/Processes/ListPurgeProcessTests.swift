import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

@Suite(.timeLimited, .blocking) struct ListPurgeProcessTests {
  @Test func userRemove_whenPurging_deletesFurtherLists() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let store = "sqlite:\(path)"
      #expect(try ProgramRun("todo-server", "user", "add", "ann", "--store", store).status == 0)
      let accounts = try SQLiteAccountStore(path: path)
      let owner = try #require(try await accounts.users().first?.list)
      let items = try SQLiteToDoItemStore(path: path)
      let lists = LocalToDoListService(
        ListDirectory(accounts), defaultList: LocalToDoService(store: items, owner: owner))
      let work = try await lists.createList(NewList(name: "Work"))
      let item = NewItem(id: ItemID(), content: ItemContent(title: "Report"))
      _ = try await lists.items(in: work.id).addItem(item)
      await items.close()

      let purge = try ProgramRun("todo-server", "user", "remove", "ann", "--purge", "--store", store)
      #expect(purge.output.contains("Purged 1 further list of ann."), "\(purge.output)")
      #expect(try await accounts.listRecords(of: owner).furtherLists == [])
      accounts.close()
      #expect(try ProgramRun("todo-server", "check", "--store", store).output == "Checked 0 items in 1 list.\n")
    }
  }

  /// A store in which ann shared a list with bob, and was removed.
  private struct FormerUser {
    let store: String
    let accounts: SQLiteAccountStore
    let ann, bob: OwnerID

    init(in directory: String) async throws {
      let path = "\(directory)/items.sqlite"
      store = "sqlite:\(path)"
      for name in ["ann", "bob"] {
        #expect(try ProgramRun("todo-server", "user", "add", name, "--store", store).status == 0)
      }
      accounts = try SQLiteAccountStore(path: path)
      let users = try await accounts.users()
      (ann, bob) = (users[0].list, users[1].list)
      let items = try SQLiteToDoItemStore(path: path)
      let cache = ListDirectory(accounts)
      let lists = users.map { [accounts] user in
        LocalToDoListService(
          cache, defaultList: LocalToDoService(store: items, owner: user.list),
          sharing: ListSharing(by: user.name, among: accounts))
      }
      let work = try await lists[0].createList(NewList(name: "Work"))
      _ = try await lists[0].shareList(work.id, with: "bob", as: .editor)
      _ = try await lists[1].acceptList(work.id)
      let item = NewItem(id: ItemID(), content: ItemContent(title: "Report"))
      _ = try await lists[1].items(in: work.id).addItem(item)
      await items.close()
      #expect(try ProgramRun("todo-server", "user", "remove", "ann", "--store", store).status == 0)
      #expect(try await hasSharedList)
    }

    /// Whether bob still has the list.
    var hasSharedList: Bool { get async throws { try await !accounts.listRecords(of: bob).shared.isEmpty } }

    func purge() throws -> ProgramRun {
      try ProgramRun("todo-server", "user", "remove", "ann", "--purge", "--store", store)
    }
  }

  /// Nobody could stop sharing them otherwise.
  @Test func userRemove_whenPurgingFormerUser_deletesSharedLists() async throws {
    try await withTemporaryDirectory { directory in
      let former = try await FormerUser(in: directory)
      let purge = try former.purge()
      #expect(purge.status == 0)
      #expect(purge.output.contains("Purged 1 further list of ann."), "\(purge.output)")
      #expect(try await former.accounts.listRecords(of: former.ann).furtherLists == [])
      #expect(try await !former.hasSharedList)
      former.accounts.close()
      #expect(try former.purge().status != 0)
    }
  }

  /// The administrator means the user, and may not know of another one who had the name.
  @Test func userRemove_whenPurgingUserWithNameOfFormerUser_keepsSharedLists() async throws {
    try await withTemporaryDirectory { directory in
      let former = try await FormerUser(in: directory)
      let add = try ProgramRun("todo-server", "user", "add", "ann", "--store", former.store)
      #expect(add.output.contains("todo-server user add ann --list \(former.ann.name)"), "\(add.output)")
      let list = try #require(try await former.accounts.users().first?.list)

      let purge = try former.purge()
      #expect(purge.status == 0)
      #expect(purge.output.contains("Purged the list \(list.name) with its history"), "\(purge.output)")
      #expect(!purge.output.contains("further list"), "\(purge.output)")
      #expect(
        purge.output.contains(
          "A former ann still shares lists with others. Purge these, too, with: todo-server user remove ann --purge\n"),
        "\(purge.output)")
      #expect(try await former.hasSharedList)

      #expect(try former.purge().output.contains("Purged 1 further list of ann."))
      #expect(try await !former.hasSharedList)
      former.accounts.close()
    }
  }

  /// Its user would reach the items without being a member of the list.
  @Test func userAdd_withFurtherListOfAnotherUser_isRefused() async throws {
    try await withTemporaryDirectory { directory in
      let former = try await FormerUser(in: directory)
      let list = try #require(try await former.accounts.listRecords(of: former.ann).furtherLists.first)
      let name = OwnerID(list).name
      let add = try ProgramRun("todo-server", "user", "add", "eve", "--list", name, "--store", former.store)
      #expect(add.status == 64)
      #expect(
        add.output.contains("Error: '--list' names a further list of another user, who can share it"), "\(add.output)")
      #expect(try await former.accounts.users().map(\.name.description) == ["bob"])
      former.accounts.close()
    }
  }

  /// Two users with one list would be one member, or one owner, under two names.
  @Test(arguments: ["ann", "bob"])
  func userAdd_withListOfUserWhoShares_isRefused(_ name: String) async throws {
    try await withTemporaryDirectory { directory in
      let former = try await FormerUser(in: directory)
      let list = name == "ann" ? former.ann : former.bob
      let restore = ["user", "add", "ann", "--list", former.ann.name, "--store", former.store]
      #expect(try ProgramRun("todo-server", restore).status == 0)

      let add = try ProgramRun("todo-server", "user", "add", "eve", "--list", list.name, "--store", former.store)
      #expect(add.status == 64)
      let reason = "Error: '--list' names \(name)'s list, and \(name) shares lists with others"
      #expect(add.output.contains(reason), "\(add.output)")
      #expect(try await former.accounts.users().map(\.name.description) == ["ann", "bob"])
      former.accounts.close()
    }
  }
}
