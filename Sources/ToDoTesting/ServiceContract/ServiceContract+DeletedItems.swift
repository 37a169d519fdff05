import Testing
import ToDoModel

extension ServiceContract {
  static var trashListing: [Rule] {
    [
      Rule("deleted items are listed with the most recently deleted first, in pages") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c", "d"])
        for index in [2, 0, 3, 1] { try await subject.delete(items[index]) }
        for order in ItemOrder.allCases {
          let whole = try await subject.service.items(ItemQuery(deleted: .only, order: order))
          #expect(whole.items.map(\.title) == ["b", "d", "a", "c"])
          for size in 1...5 {
            #expect(try await subject.pages(ItemQuery(deleted: .only, order: order, pageSize: size)) == whole.items)
          }
        }
      },
      Rule("a listing with deleted items contains them after all others, in every order") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c", "d", "e"])
        for index in [0, 3] { _ = try await subject.service.checkItem(items[index].id, ifRevision: nil) }
        for index in [3, 1] { try await subject.delete(items[index]) }
        for order in ItemOrder.allCases {
          let present = try await subject.titles(ItemQuery(order: order))
          #expect(present.sorted() == ["a", "c", "e"])
          let whole = try await subject.service.items(ItemQuery(deleted: .included, order: order))
          #expect(whole.items.map(\.title) == present + ["b", "d"])
          #expect(whole.items.map { $0.deletion == nil } == [true, true, true, false, false])
          for size in 1...6 {
            #expect(try await subject.pages(ItemQuery(deleted: .included, order: order, pageSize: size)) == whole.items)
          }
        }
      },
      Rule("the state, the text and the numbers filter deleted items") { subject async throws in
        let items = try await subject.addBatch(["Milk", "Oat milk", "Bread", "Tea"])
        for index in [1, 2] { _ = try await subject.service.checkItem(items[index].id, ifRevision: nil) }
        for index in [0, 1, 2] { try await subject.delete(items[index]) }
        #expect(try await subject.titles(ItemQuery(state: .toDo, deleted: .included)) == ["Tea", "Milk"])
        #expect(try await subject.titles(ItemQuery(state: .done, deleted: .included)) == ["Bread", "Oat milk"])
        #expect(try await subject.titles(ItemQuery(text: "MILK", deleted: .only)) == ["Oat milk", "Milk"])
        let numbers = [4, 1, 3, 9].map { ItemNumber($0) }
        #expect(try await subject.titles(ItemQuery(numbers: numbers, deleted: .only)) == ["Bread", "Milk"])
        #expect(try await subject.titles(ItemQuery(numbers: numbers, deleted: .included)) == ["Tea", "Bread", "Milk"])
      },
      Rule("a page token belongs to a listing with or without deleted items") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c", "d"])
        for index in [0, 1] { try await subject.delete(items[index]) }
        for own in DeletedItems.allCases {
          let page = try await subject.service.items(ItemQuery(deleted: own, pageSize: 1))
          let token = try #require(page.nextPageToken)
          for other in DeletedItems.allCases where other != own {
            await #expect(throws: ToDoError.invalidPageToken) {
              try await subject.service.items(ItemQuery(deleted: other, pageSize: 1, pageToken: token))
            }
          }
        }
      },
      Rule("a page of deleted items remains valid after one of them is restored") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c"])
        for item in items { try await subject.delete(item) }
        let page = try await subject.service.items(ItemQuery(deleted: .only, pageSize: 1))
        #expect(page.items.map(\.title) == ["c"])
        try await subject.undelete(items[2])
        let next = ItemQuery(deleted: .only, pageSize: 1, pageToken: page.nextPageToken)
        #expect(try await subject.titles(next) == ["b"])
      },
    ]
  }

  static var emptyingTrash: [Rule] {
    [
      Rule("items that a bulk deletion deletes can be restored") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c"])
        _ = try await subject.service.checkItem(items[1].id, ifRevision: nil)
        #expect(try await subject.service.deleteItems(.done).deletedCount == 1)
        #expect(try await subject.service.deleteItems(.all).deletedCount == 2)
        let deleted = try await subject.deletedItems()
        #expect(deleted.map(\.revision.number) == [4, 4, 3])
        #expect(Set(deleted.map(\.number)) == Set(items.map(\.number)))
        for item in items {
          let restored = try await subject.undelete(item)
          #expect(restored.number == item.number)
          #expect(restored.isDone == (item.title == "b"))
        }
        #expect(try await subject.titles().sorted() == ["a", "b", "c"])
      },
      Rule("deleting the deleted items removes them for good, and is not a change") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c"])
        for item in items.prefix(2) { try await subject.delete(item) }
        #expect(try await subject.deletedItems().count == 2)
        let result = try await subject.service.deleteItems(.deleted)
        #expect(result == BulkDeletionResult(deletedCount: 2, revision: Revision(3)))
        #expect(try await subject.deletedItems().isEmpty)
        #expect(try await subject.titles(ItemQuery(deleted: .included)) == ["c"])
        #expect(try await subject.service.changes(ChangeQuery(after: Revision(3))).changes.isEmpty)
        for item in items.prefix(2) {
          await #expect(throws: ToDoError.itemNotFound(item.id)) { try await subject.undelete(item) }
          await #expect(throws: ToDoError.itemIDDeleted(item.id)) {
            try await subject.service.addItem(NewItem(id: item.id, content: item.content))
          }
        }
        let none = BulkDeletionResult(deletedCount: 0, revision: Revision(3))
        #expect(try await subject.service.deleteItems(.deleted) == none)
      },
      Rule("deleting the deleted items removes any number of them") { subject async throws in
        for _ in 0..<2 { try await subject.addBatch((0..<300).map { "Item \($0)" }) }
        let revision = try await subject.service.deleteItems(.all).revision
        #expect(try await subject.service.deleteItems(.all).deletedCount == 0)
        let result = try await subject.service.deleteItems(.deleted)
        #expect(result == BulkDeletionResult(deletedCount: 600, revision: revision))
        #expect(try await subject.deletedItems().isEmpty)
      },
      Rule("a deleted item can be restored for 30 days") { subject async throws in
        let (first, item) = (try await subject.add("Bread"), try await subject.add("Milk"))
        try await subject.delete(first)
        subject.clock.advance(by: Duration.seconds(30 * 86_400) - .microseconds(1))
        #expect(try await subject.undelete(first).title == "Bread")
        try await subject.delete(item)
        subject.clock.advance(by: Duration.seconds(30 * 86_400) - .microseconds(1))
        #expect(try await subject.deletedItems().map(\.id) == [item.id])
        subject.clock.advance(by: .microseconds(1))
        #expect(try await subject.deletedItems().isEmpty)
        #expect(try await subject.titles(ItemQuery(deleted: .included)) == ["Bread"])
        #expect(try await subject.titles(ItemQuery(numbers: [item.number], deleted: .only)).isEmpty)
        await #expect(throws: ToDoError.itemNotFound(item.id)) { try await subject.undelete(item) }
        await #expect(throws: ToDoError.itemIDDeleted(item.id)) {
          try await subject.service.addItem(NewItem(id: item.id, content: item.content))
        }
      },
    ]
  }
}

extension ServiceContract.Subject {
  /// Adds items in one batch, even if they duplicate others.
  @discardableResult
  func addBatch(_ titles: [String]) async throws -> [ToDoItem] {
    clock.advance(by: .milliseconds(1))
    return try await service.addItems(
      titles.map { newItem(ItemContent(title: $0)) }, options: SaveOptions(allowsDuplicate: true))
  }

  /// The items on all pages of a listing.
  func pages(_ query: ItemQuery) async throws -> [ToDoItem] {
    var query = query
    var items: [ToDoItem] = []
    repeat {
      let page = try await service.items(query)
      #expect(page.items.count <= query.pageSize ?? 100)
      items += page.items
      query.pageToken = page.nextPageToken
    } while query.pageToken != nil
    return items
  }
}
