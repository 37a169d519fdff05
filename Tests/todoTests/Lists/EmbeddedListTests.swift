import Testing
import ToDoGeocoders
import ToDoModel
import ToDoTestSupport

@testable import todo

/// The lists of a connection to a database in this process.
@Suite(.unitTimeLimited) struct EmbeddedListTests {
  private func withConnection(_ path: String, _ body: (ServiceConnection) async throws -> Void) async throws {
    let connection = try await ServiceConnection.open(.embedded(path: path, geocoder: GeocoderSelection([])))
    do { try await body(connection) } catch {
      await connection.close()
      throw error
    }
    await connection.close()
  }

  @Test func lists_ofDatabase_persist() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let work = NewList(name: "Work")
      try await withConnection(path) { connection in
        _ = try await connection.lists.createList(work)
        let item = NewItem(id: ItemID(), content: ItemContent(title: "Report"))
        _ = try await connection.lists.items(in: work.id).addItem(item)
      }
      try await withConnection(path) { connection in
        #expect(try await connection.lists.lists().lists.map(\.name) == ["Inbox", "Work"])
        #expect(try await connection.lists.items(in: work.id).items(ItemQuery()).items.map(\.title) == ["Report"])
        #expect(try await connection.service.items(ItemQuery()).items == [])
        let office = try await connection.lists.updateList(work.id, ListEdit(name: "Office"), ifVersion: nil)
        #expect(try await connection.lists.list(work.id) == office)
        #expect(try await connection.lists.deleteList(work.id).isDeleted)
        #expect(try await !connection.lists.undeleteList(work.id).isDeleted)
      }
    }
  }

  @Test func watch_whenAnotherConnectionChangesLists_emitsThem() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      try await withConnection(path) { connection in
        var sets = connection.lists.watchLists().makeAsyncIterator()
        #expect(try await sets.next()?.lists.map(\.name) == ["Inbox"])
        try await withConnection(path) { _ = try await $0.lists.createList(NewList(name: "Work")) }
        #expect(try await sets.next()?.lists.map(\.name) == ["Inbox", "Work"])
      }
    }
  }

  @Test func watch_whenAnotherConnectionDeletesTheList_ends() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let work = NewList(name: "Work")
      try await withConnection(path) { connection in
        _ = try await connection.lists.createList(work)
        var events = connection.lists.items(in: work.id).watch(from: .now, state: .all).makeAsyncIterator()
        _ = try await events.next()
        try await withConnection(path) { _ = try await $0.lists.deleteList(work.id) }
        let error = await #expect(throws: ToDoError.self) { _ = try await events.next() }
        #expect(error == .listNotFound(work.id))
      }
    }
  }

  @Test func lists_ofEmptyList_areNotSaved() async throws {
    let connection = try ServiceConnection.openEmpty(GeocoderSelection([]))
    _ = try await connection.lists.createList(NewList(name: "Work"))
    #expect(try await connection.lists.lists().lists.count == 2)
    await connection.close()
  }
}
