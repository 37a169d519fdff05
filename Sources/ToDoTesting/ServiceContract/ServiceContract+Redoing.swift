import Testing
import ToDoModel

extension ServiceContract {
  static var redoing: [Rule] {
    [
      Rule("reverting the reversal of an edit gives the later content again") { subject async throws in
        let item = try await subject.add("Milk")
        let edited = try await subject.retitle(item, "Bread")
        let reversal = try await subject.service.revertRevision(edited.revision)
        #expect(try await subject.titles() == ["Milk"])
        let second = try await subject.service.revertRevision(reversal.revision)
        #expect(second == Reversal(revision: Revision(4), revertedCount: 1))
        #expect(try await subject.titles() == ["Bread"])
        #expect(try await subject.latestRecord().origin.reverted == reversal.revision)
        #expect(try await subject.service.revertRevision(second.revision).revertedCount == 1)
        #expect(try await subject.titles() == ["Milk"])
      },
      Rule("reverting the reversal of a check marks the item as done again") { subject async throws in
        let item = try await subject.add("Milk")
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        subject.clock.advance(by: .seconds(5))
        let reversal = try await subject.service.revertRevision(checked.revision)
        #expect(try await subject.titles(ItemQuery(state: .toDo)) == ["Milk"])
        #expect(try await subject.service.revertRevision(reversal.revision).revertedCount == 1)
        #expect(try await subject.service.item(item.id).completedAt == checked.completedAt)
      },
      Rule("reverting the reversal of an addition restores the items") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c"])
        let reversal = try await subject.service.revertRevision(items[0].revision)
        let second = try await subject.service.revertRevision(reversal.revision)
        #expect(second == Reversal(revision: Revision(3), revertedCount: 3))
        let restored = try await subject.service.items(ItemQuery()).items
        #expect(restored.map(\.title).sorted() == ["a", "b", "c"])
        #expect(Set(restored.map(\.number)) == Set(items.map(\.number)))
      },
      Rule("reverting the reversal of a deletion deletes the item again") { subject async throws in
        let item = try await subject.add("Milk")
        let reversal = try await subject.service.revertRevision(try await subject.delete(item))
        let second = try await subject.service.revertRevision(reversal.revision)
        #expect(second == Reversal(revision: Revision(4), revertedCount: 1))
        #expect(try await subject.deletedItems().map(\.id) == [item.id])
        #expect(try await subject.service.revertRevision(second.revision).revertedCount == 1)
        #expect(try await subject.titles() == ["Milk"])
      },
      Rule("after a change is reverted, the change before it can be reverted") { subject async throws in
        let item = try await subject.add("1")
        let second = try await subject.retitle(item, "2")
        let third = try await subject.retitle(item, "3")
        #expect(try await subject.service.revertRevision(second.revision).refusals.map(\.reason) == [.changedSince])
        #expect(try await subject.service.revertRevision(third.revision).revertedCount == 1)
        #expect(try await subject.titles() == ["2"])
        // The item has the content of revision 2 again.
        #expect(try await subject.service.revertRevision(second.revision).revertedCount == 1)
        #expect(try await subject.titles() == ["1"])
      },
    ]
  }

  static var refusing: [Rule] {
    [
      Rule("an item that has changed since is refused, and the others are reverted") { subject async throws in
        let items = try await subject.addBatch(["a", "b", "c"])
        _ = try await subject.service.checkItem(items[1].id, ifRevision: nil)
        let reversal = try await subject.service.revertRevision(items[0].revision)
        #expect(
          reversal
            == Reversal(
              revision: Revision(3), revertedCount: 2, refusals: [subject.refusal(items[1], .changedSince)],
              refusedCount: 1))
        #expect(try await subject.titles() == ["b"])
        #expect(try await subject.latestRecord().changeCount == 2)
      },
      Rule("an item that was deleted or restored since is refused") { subject async throws in
        let item = try await subject.add("Milk")
        let edited = try await subject.retitle(item, "Bread")
        let deletion = try await subject.delete(item)
        for revision in [item.revision, edited.revision] {
          let reversal = try await subject.service.revertRevision(revision)
          #expect(reversal.revertedCount == 0)
          #expect(reversal.refusals == [subject.refusal(edited, .changedSince)])
        }
        let restored = try await subject.undelete(item)
        let reversal = try await subject.service.revertRevision(deletion)
        #expect(reversal.refusals == [subject.refusal(edited, .changedSince)])
        #expect(try await subject.service.items(ItemQuery()).items == [restored])
      },
      Rule("a reversal that refuses every item takes no revision") { subject async throws in
        let item = try await subject.add("Milk")
        let edited = try await subject.retitle(item, "Bread")
        let refused = Reversal(
          revision: edited.revision, refusals: [subject.refusal(edited, .changedSince)], refusedCount: 1)
        #expect(try await subject.service.revertRevision(item.revision) == refused)
        #expect(try await subject.service.items(ItemQuery()).revision == edited.revision)
        #expect(try await subject.service.history(HistoryQuery()).revisions.count == 2)
        let reversal = try await subject.service.revertRevision(edited.revision)
        let again = try await subject.service.revertRevision(edited.revision)
        #expect(again.revision == reversal.revision)
        #expect(again.refusals.map(\.reason) == [.changedSince])
      },
      Rule("an item that was removed for good is refused") { subject async throws in
        let items = try await subject.addBatch(["a", "b"])
        let deletion = try await subject.delete(items[0])
        _ = try await subject.service.deleteItems(.deleted)
        let reversal = try await subject.service.revertRevision(deletion)
        #expect(reversal.revision == deletion)
        #expect(reversal.revertedCount == 0)
        #expect(reversal.refusals.map(\.item) == [items[0].id])
        #expect(reversal.refusals.map(\.reason) == [.notRetained])
        #expect(try await subject.titles() == ["b"])
      },
      Rule("a deleted item that has expired is refused") { subject async throws in
        let item = try await subject.add("Milk")
        let deletion = try await subject.delete(item)
        subject.clock.advance(by: .seconds(30 * 86_400))
        let reversal = try await subject.service.revertRevision(deletion)
        #expect(reversal.refusals.map(\.reason) == [.notRetained])
        #expect(try await subject.titles().isEmpty)
      },
      Rule("a reversal that would duplicate an incomplete item is refused") { subject async throws in
        let item = try await subject.add("Milk")
        let edited = try await subject.retitle(item, "Bread")
        try await subject.add("Milk")
        let edit = try await subject.service.revertRevision(edited.revision)
        #expect(edit.refusals == [subject.refusal(edited, .duplicate)])
        let tea = try await subject.add("Tea")
        let checked = try await subject.service.checkItem(tea.id, ifRevision: nil)
        try await subject.add("Tea")
        let check = try await subject.service.revertRevision(checked.revision)
        #expect(check.refusals == [subject.refusal(tea, .duplicate)])
        let deletion = try await subject.delete(edited)
        let last = try await subject.add("Bread")
        let restoration = try await subject.service.revertRevision(deletion)
        let refused = Reversal(
          revision: last.revision, refusals: [subject.refusal(edited, .duplicate)], refusedCount: 1)
        #expect(restoration == refused)
        #expect(try await subject.titles(ItemQuery(state: .toDo)) == ["Milk", "Tea", "Bread"])
      },
      Rule("a reversal that refuses many items contains the first 100, and their number") { subject async throws in
        let items = try await subject.addBatch((0..<120).map { "Item \($0)" })
        let deletion = try await subject.service.deleteItems(.all).revision
        let reversal = try await subject.service.revertRevision(items[0].revision)
        #expect(reversal.revision == deletion)
        #expect(reversal.refusedCount == 120)
        #expect(reversal.refusals.map(\.item) == Array(items.map(\.id).sorted().prefix(100)))
      },
      Rule("only a revision of the list can be reverted") { subject async throws in
        let item = try await subject.add("Milk")
        for number in [0, -1, .min] as [Int64] {
          await expectViolations(of: ["revision"]) { try await subject.service.revertRevision(Revision(number)) }
        }
        for number in [2, .max] as [Int64] {
          await #expect(throws: ToDoError.revisionInFuture(current: item.revision)) {
            try await subject.service.revertRevision(Revision(number))
          }
        }
        await #expect(throws: ToDoError.listReplaced) {
          try await subject.service.revertRevision(Revision(1, of: .random()))
        }
        #expect(try await subject.service.items(ItemQuery()) == ItemPage(items: [item], revision: Revision(1)))
      },
    ]
  }
}

extension ServiceContract.Subject {
  /// The refusal of an item with its current title.
  fileprivate func refusal(_ item: ToDoItem, _ reason: Reversal.Reason) -> Reversal.Refusal {
    Reversal.Refusal(item: item.id, number: item.number, title: item.title, reason: reason)
  }
}
