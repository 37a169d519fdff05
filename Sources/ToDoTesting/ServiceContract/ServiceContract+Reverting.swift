import Testing
import ToDoModel

extension ServiceContract {
  static var reverting: [Rule] {
    [
      Rule("reverting an addition deletes the item, which can be restored") { subject async throws in
        let item = try await subject.add(.full)
        let reversal = try await subject.service.revertRevision(item.revision)
        #expect(reversal == Reversal(revision: Revision(2), revertedCount: 1))
        #expect(try await subject.titles().isEmpty)
        #expect(try await subject.deletedItems().map(\.id) == [item.id])
        let record = try await subject.latestRecord()
        #expect(record.origin.reverted == item.revision)
        #expect(record.changes == [subject.recorded(item, .deleted)])
        #expect(try await subject.undelete(item).content == item.content)
      },
      Rule("reverting an edit returns the item to its former content, as a change") { subject async throws in
        let item = try await subject.add(.full)
        var edit = ItemEdit()
        edit.title = "Visit the museum"
        edit.due = .clear
        edit.location = .clear
        edit.reminders = []
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        subject.clock.advance(by: .seconds(5))
        let reversal = try await subject.service.revertRevision(edited.revision)
        #expect(reversal == Reversal(revision: Revision(3), revertedCount: 1))
        var expected = item
        expected.updatedAt = subject.clock.now()
        expected.revision = Revision(3)
        #expect(try await subject.service.item(item.id) == expected)
        let changes = try await subject.service.changes(ChangeQuery(after: edited.revision)).changes
        #expect(changes == [.put(expected, .reverted)])
        let record = try await subject.latestRecord()
        #expect(record.revision == reversal.revision)
        #expect(record.time == subject.clock.now())
        #expect(record.origin.reverted == edited.revision)
        #expect(record.changes.map(\.kind) == [.put(.reverted)])
        #expect(record.changes.map(\.title) == [item.title])
        #expect(record.changes[0].fields.map(\.field) == [.title, .due, .placeName, .address, .coordinate, .reminders])
        #expect(record.changes[0].fields.first?.from == .text("Visit the museum"))
      },
      Rule("a reminder that was told since is no obstacle to a reversal, and stays told") { subject async throws in
        let time = subject.clock.now()
        let reminder = Reminder(.time(time))
        var content = ItemContent(title: "Milk")
        content.reminders = [reminder]
        let item = try await subject.add(content)
        var edit = ItemEdit()
        edit.title = "Bread"
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        var told = ItemEdit()
        told.reminders = [Reminder(reminder.trigger, acknowledged: time)]
        let acknowledged = try await subject.service.updateItem(item.id, told, ifRevision: nil)
        #expect(try await subject.service.revertRevision(edited.revision).revertedCount == 1)
        let reverted = try await subject.service.item(item.id)
        #expect((reverted.title, reverted.reminders) == ("Milk", acknowledged.reminders))
        // A change of the reminders themselves is reverted.
        #expect(try await subject.service.revertRevision(acknowledged.revision).revertedCount == 0)
        #expect(try await subject.service.revertRevision(reverted.revision).revertedCount == 1)
        #expect(try await subject.service.revertRevision(acknowledged.revision).revertedCount == 1)
        #expect(try await subject.service.item(item.id).reminders == [reminder])
      },
      Rule("reverting a check and an uncheck returns the item to its former state") { subject async throws in
        let item = try await subject.add("Milk")
        subject.clock.advance(by: .seconds(5))
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let unchecked = try await subject.service.uncheckItem(item.id, ifRevision: nil)
        subject.clock.advance(by: .seconds(5))
        #expect(try await subject.service.revertRevision(unchecked.revision).revertedCount == 1)
        #expect(try await subject.service.item(item.id).completedAt == checked.completedAt)
        let bread = try await subject.add("Bread")
        let after = try await subject.service.checkItem(bread.id, ifRevision: nil).revision
        #expect(try await subject.service.revertRevision(after).revertedCount == 1)
        let reverted = try await subject.service.item(bread.id)
        #expect(!reverted.isDone)
        // The reversal changes the state, so it concerns both states.
        for state in ItemState.allCases {
          let changes = try await subject.service.changes(ChangeQuery(after: after, state: state)).changes
          #expect(changes == [.put(reverted, .reverted)])
        }
      },
      Rule("reverting a deletion restores the item") { subject async throws in
        let item = try await subject.add("Milk")
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let deletion = try await subject.delete(item)
        let reversal = try await subject.service.revertRevision(deletion)
        #expect(reversal == Reversal(revision: Revision(4), revertedCount: 1))
        var expected = checked
        expected.updatedAt = subject.clock.now()
        expected.revision = Revision(4)
        let changes = try await subject.service.changes(ChangeQuery(after: deletion)).changes
        #expect(changes == [.put(expected, .restored)])
        #expect(try await subject.service.items(ItemQuery()).items == [expected])
        #expect(try await subject.deletedItems().isEmpty)
        #expect(try await subject.latestRecord().origin.reverted == deletion)
      },
      Rule("reverting a restoration deletes the item again") { subject async throws in
        let item = try await subject.add("Milk")
        try await subject.delete(item)
        let restored = try await subject.undelete(item)
        let reversal = try await subject.service.revertRevision(restored.revision)
        #expect(reversal == Reversal(revision: Revision(4), revertedCount: 1))
        #expect(try await subject.deletedItems().map(\.revision) == [Revision(4)])
      },
      Rule("reverting a batch deletes all of its items in one revision") { subject async throws in
        let before = try await subject.add("Milk")
        let items = try await subject.addBatch(["a", "b", "c"])
        let reversal = try await subject.service.revertRevision(items[0].revision)
        #expect(reversal == Reversal(revision: Revision(3), revertedCount: 3))
        #expect(try await subject.service.items(ItemQuery()).items == [before])
        let deleted = try await subject.deletedItems()
        #expect(Set(deleted.map(\.id)) == Set(items.map(\.id)))
      },
      Rule("reverting a bulk deletion restores all of its items in one revision") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c"])
        _ = try await subject.service.checkItem(items[1].id, ifRevision: nil)
        let deletion = try await subject.service.deleteItems(.all).revision
        let reversal = try await subject.service.revertRevision(deletion)
        #expect(reversal == Reversal(revision: Revision(4), revertedCount: 3))
        let restored = try await subject.service.items(ItemQuery(order: .created)).items
        #expect(Set(restored.map(\.number)) == Set(items.map(\.number)))
        #expect(restored.filter(\.isDone).map(\.title) == ["b"])
      },
      Rule("reverting a bulk deletion of many items takes several revisions") { subject async throws in
        for start in [0, 300] { try await subject.addBatch((start..<start + 300).map { "Item \($0)" }) }
        let deletion = try await subject.service.deleteItems(.all)
        #expect(deletion == BulkDeletionResult(deletedCount: 600, revision: Revision(3)))
        let reversal = try await subject.service.revertRevision(deletion.revision)
        #expect(reversal == Reversal(revision: Revision(13), revertedCount: 600))
        #expect(try await subject.service.items(ItemQuery(pageSize: 1000)).items.count == 600)
        #expect(try await subject.deletedItems().isEmpty)
        let records = try await subject.service.history(HistoryQuery(pageSize: 600)).revisions.prefix(10)
        #expect(records.allSatisfy { $0.origin.reverted == deletion.revision })
        #expect(records.map(\.changeCount).reduce(0, +) == 600)
        #expect(records.allSatisfy { $0.changeCount <= 64 })
      },
    ]
  }
}

extension ServiceContract.Subject {
  /// The record of the list's latest revision.
  func latestRecord() async throws -> RevisionRecord {
    try #require(try await service.history(HistoryQuery(pageSize: 1)).revisions.first)
  }
}
