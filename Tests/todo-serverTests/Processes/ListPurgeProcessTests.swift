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
}
