import Testing
import ToDoModel

extension ServiceContract {
  static var trash: [Rule] {
    [
      Rule("a deleted item is in no other listing, and is listed with its deletion") { subject async throws in
        let item = try await subject.add(.full)
        let done = try await subject.service.checkItem(item.id, ifRevision: nil)
        try await subject.add("Milk")
        let revision = try await subject.delete(item)
        await #expect(throws: ToDoError.itemNotFound(item.id)) { try await subject.service.item(item.id) }
        for order in ItemOrder.allCases { #expect(try await subject.titles(ItemQuery(order: order)) == ["Milk"]) }
        #expect(try await subject.titles(ItemQuery(numbers: [item.number])).isEmpty)
        #expect(try await subject.titles(ItemQuery(text: item.title)).isEmpty)
        let deleted = try #require(try await subject.deletedItems().first)
        var expected = done
        expected.updatedAt = deleted.updatedAt
        expected.revision = revision
        expected.deletion = ToDoItem.Deletion(deletedAt: subject.clock.now(), expiresAt: subject.clock.now().plus30Days)
        #expect(deleted == expected)
        #expect(try await subject.service.info().capabilities.contains(.revertChanges))
      },
      Rule("undelete restores an item with its number, content and state, as a change") { subject async throws in
        let item = try await subject.add(.full)
        let done = try await subject.service.checkItem(item.id, ifRevision: nil)
        let deletion = try await subject.delete(item)
        subject.clock.advance(by: .seconds(5))
        let restored = try await subject.undelete(item)
        var expected = done
        expected.updatedAt = subject.clock.now()
        expected.revision = Revision(4)
        #expect(restored == expected)
        #expect(try await subject.service.item(item.id) == restored)
        #expect(try await subject.service.items(ItemQuery()).items == [restored])
        #expect(try await subject.deletedItems().isEmpty)
        let changes = try await subject.service.changes(ChangeQuery(after: deletion))
        #expect(changes.changes == [.put(restored, .restored)])
      },
      Rule("a restored item can be changed, and deleted and restored again") { subject async throws in
        let item = try await subject.add("Milk")
        for round in 0..<3 as Range<Int64> {
          try await subject.delete(item)
          #expect(try await subject.deletedItems().map(\.revision) == [Revision(3 * round + 2)])
          try await subject.undelete(item)
          var edit = ItemEdit()
          edit.title = "Milk \(round)"
          let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
          #expect(edited.number == item.number)
          #expect(edited.createdAt == item.createdAt)
          #expect(edited.revision == Revision(3 * round + 4))
        }
        #expect(try await subject.titles() == ["Milk 2"])
      },
      Rule("only a deleted item can be restored") { subject async throws in
        let item = try await subject.add("Milk")
        await #expect(throws: ToDoError.itemNotDeleted(item.id)) { try await subject.undelete(item) }
        let unknown = ItemID(high: 1, low: 2)
        await #expect(throws: ToDoError.itemNotFound(unknown)) {
          try await subject.service.undeleteItem(unknown, ifRevision: nil, allowingDuplicate: true)
        }
        #expect(try await subject.service.items(ItemQuery()) == ItemPage(items: [item], revision: Revision(1)))
      },
      Rule("undelete can require the revision of the deletion") { subject async throws in
        let item = try await subject.add("Milk")
        let deletion = try await subject.delete(item)
        await #expect(throws: ToDoError.revisionMismatch(item.id, current: deletion)) {
          try await subject.undelete(item, ifRevision: item.revision)
        }
        await #expect(throws: ToDoError.listReplaced) {
          try await subject.undelete(item, ifRevision: Revision(deletion.number, of: .random()))
        }
        #expect(try await subject.titles().isEmpty)
        #expect(try await subject.undelete(item, ifRevision: deletion).revision == Revision(3))
      },
      Rule("restoring a duplicate of an incomplete item requires permission") { subject async throws in
        let item = try await subject.add("Milk")
        try await subject.delete(item)
        let other = try await subject.add("Milk")
        await #expect(throws: ToDoError.duplicateItem(item.id, existing: other.id)) { try await subject.undelete(item) }
        #expect(try await subject.deletedItems().map(\.id) == [item.id])
        let restored = try await subject.service.undeleteItem(item.id, ifRevision: nil, allowingDuplicate: true)
        #expect(restored.revision == Revision(4))
        #expect(try await subject.titles() == ["Milk", "Milk"])
      },
      Rule("restoring a done item requires no permission for a duplicate") { subject async throws in
        let item = try await subject.add("Milk")
        _ = try await subject.service.checkItem(item.id, ifRevision: nil)
        try await subject.delete(item)
        try await subject.add("Milk")
        #expect(try await subject.undelete(item).isDone)
      },
      Rule("the ID of a deleted item cannot be added again, and a restored item can be a retry") {
        subject async throws in
        let item = try await subject.add("Milk")
        try await subject.delete(item)
        let new = NewItem(id: item.id, content: item.content)
        await #expect(throws: ToDoError.itemIDDeleted(item.id)) {
          try await subject.service.addItem(new)
        }
        let restored = try await subject.undelete(item)
        #expect(try await subject.service.addItem(new) == restored)
        await #expect(throws: ToDoError.itemIDConflict(item.id)) {
          try await subject.service.addItem(NewItem(id: item.id, content: ItemContent(title: "Bread")))
        }
      },
      Rule("changes of a deleted item fail as of an item that does not exist") { subject async throws in
        let item = try await subject.add("Milk")
        try await subject.delete(item)
        var edit = ItemEdit()
        edit.title = "Bread"
        let error = ToDoError.itemNotFound(item.id)
        await #expect(throws: error) { try await subject.service.updateItem(item.id, edit, ifRevision: nil) }
        await #expect(throws: error) { try await subject.service.checkItem(item.id, ifRevision: nil) }
        await #expect(throws: error) { try await subject.service.uncheckItem(item.id, ifRevision: nil) }
        await #expect(throws: error) { try await subject.service.deleteItem(item.id, ifRevision: nil) }
      },
      Rule("a deleted item is not near a place, and a restored item is") { subject async throws in
        let item = try await subject.add(.full)
        let center = try #require(item.location?.coordinate)
        try await subject.delete(item)
        #expect(try await subject.service.nearbyItems(NearbyQuery(center: center)).items.isEmpty)
        let restored = try await subject.undelete(item)
        #expect(try await subject.service.nearbyItems(NearbyQuery(center: center)).items.map(\.item) == [restored])
      },
      Rule("a watch emits the deletion and the restored item") { subject async throws in
        let item = try await subject.add("Milk")
        let deletion = try await subject.delete(item)
        let deletedAt = subject.clock.now()
        let restored = try await subject.undelete(item)
        let watch = Subscription(subject.service.watch(from: .after(item.revision), state: .all))
        let deleted = ItemDeletion(id: item.id, wasDone: false, revision: deletion, deletedAt: deletedAt)
        #expect(try await watch.next() == .changes(ChangeSet(revision: deletion, changes: [.deleted(deleted)])))
        let set = ChangeSet(revision: restored.revision, changes: [.put(restored, .restored)])
        #expect(try await watch.next() == .changes(set))
      },
    ]
  }
}

extension ServiceContract.Subject {
  /// The first page of the deleted items that can be restored.
  func deletedItems() async throws -> [ToDoItem] {
    try await service.items(ItemQuery(deleted: .only)).items
  }

  /// Deletes an item one millisecond after the previous change, and returns the deletion's revision.
  @discardableResult
  func delete(_ item: ToDoItem) async throws -> Revision {
    clock.advance(by: .milliseconds(1))
    return try await service.deleteItem(item.id, ifRevision: nil)
  }

  /// Restores an item unless it is a duplicate.
  @discardableResult
  func undelete(_ item: ToDoItem, ifRevision: Revision? = nil) async throws -> ToDoItem {
    try await service.undeleteItem(item.id, ifRevision: ifRevision, allowingDuplicate: false)
  }
}

extension Timestamp {
  /// The time until which an item that is deleted at this time can be restored by default.
  fileprivate var plus30Days: Timestamp { Timestamp(microseconds: microseconds + 30 * 86_400_000_000) }
}
