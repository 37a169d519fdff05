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

  /// A user of the same name has lists that members would keep otherwise, though nobody could stop sharing them.
  @Test(arguments: [false, true])
  func userRemove_whenPurging_deletesSharedListsOfFormerUserOfTheName(isAddedAgain: Bool) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let store = "sqlite:\(path)"
      for name in ["ann", "bob"] {
        #expect(try ProgramRun("todo-server", "user", "add", name, "--store", store).status == 0)
      }
      let accounts = try SQLiteAccountStore(path: path)
      let users = try await accounts.users()
      let items = try SQLiteToDoItemStore(path: path)
      let cache = ListDirectory(accounts)
      let lists = users.map { user in
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
      #expect(try await accounts.listRecords(of: users[1].list).shared.count == 1)
      if isAddedAgain {
        let add = try ProgramRun("todo-server", "user", "add", "ann", "--store", store)
        #expect(add.output.contains("todo-server user add ann --list \(users[0].list.name)"), "\(add.output)")
      }

      let purge = try ProgramRun("todo-server", "user", "remove", "ann", "--purge", "--store", store)
      #expect(purge.status == 0)
      #expect(purge.output.contains("Purged 1 further list of ann."), "\(purge.output)")
      #expect(try await accounts.listRecords(of: users[0].list).furtherLists == [])
      #expect(try await accounts.listRecords(of: users[1].list).shared.isEmpty)
      accounts.close()
      let again = try ProgramRun("todo-server", "user", "remove", "ann", "--purge", "--store", store)
      #expect(again.status != 0)
    }
  }
}
