import Testing
import ToDoModel

extension ServiceContract {
  static var moving: [ListRule] {
    [
      ListRule("a moved item keeps everything but its number, its revision and its time of change") {
        users async throws in
        let work = try await users.makeList()
        try await users.add("Report", to: work)
        let item = try await users.add(.full)
        let done = try await users.ann.items(in: .default).checkItem(item.id, ifRevision: nil)
        users.clock.advance(by: .seconds(1))
        var expected = done
        (expected.number, expected.revision, expected.updatedAt) = (ItemNumber(2), Revision(2), users.clock.now())
        let moved = try await users.ann.moveItems([item.id], from: .default, to: work)
        #expect(moved == [expected])
        #expect(try await users.ann.items(in: work).item(item.id) == expected)
        let inbox = users.ann.items(in: .default)
        await #expect(throws: ToDoError.itemNotFound(item.id)) { try await inbox.item(item.id) }
        #expect(try await inbox.items(ItemQuery(deleted: .only)).items == [])
      },
      ListRule("a move is one revision of each list, which both histories tell") { users async throws in
        let work = try await users.makeList()
        let items = [try await users.add("Call"), try await users.add("Write")]
        let moved = try await users.ann.moveItems(items.map(\.id), from: .default, to: work)
        #expect(moved.map(\.id) == items.map(\.id))
        let (left, came) = (try await users.latest(), try await users.latest(in: work))
        #expect((left.revision.number, came.revision.number) == (3, 1))
        #expect(left.origin.moved == ListMove(list: work, revision: Revision(1)))
        #expect(came.origin.moved == ListMove(list: .default, revision: Revision(3)))
        #expect(left.changes.map(\.kind) == [.deleted, .deleted])
        #expect(came.changes.map(\.kind) == [.put(.added), .put(.added)])
        for record in [left, came] {
          #expect(Set(record.changes.map(\.title)) == ["Call", "Write"])
          #expect((record.origin.user, record.isOwn) == ("ann", true))
        }
      },
      ListRule("watches of both lists emit a move") { users async throws in
        let work = try await users.makeList()
        let item = try await users.add("Call")
        let left = Subscription(users.ann.items(in: .default).watch(from: .after(item.revision), state: .all))
        let came = Subscription(users.ann.items(in: work).watch(from: .after(.initial), state: .all))
        _ = (try await left.next(), try await came.next())
        let moved = try await users.ann.moveItems([item.id], from: .default, to: work)
        let deletion = ItemDeletion(
          id: item.id, wasDone: false, revision: Revision(2), deletedAt: users.clock.now())
        #expect(
          try await left.next()
            == .changes(ChangeSet(revision: Revision(2), changes: [.deleted(deletion)], user: "ann")))
        #expect(
          try await came.next()
            == .changes(
              ChangeSet(revision: Revision(1), changes: moved.map { .put($0, .added) }, user: "ann")))
      },
      ListRule("a move that is repeated returns the moved items, and changes nothing") { users async throws in
        let work = try await users.makeList()
        let ids = [try await users.add("Call").id, try await users.add("Write").id]
        let moved = try await users.ann.moveItems(ids, from: .default, to: work)
        #expect(try await users.ann.moveItems(ids, from: .default, to: work) == moved)
        #expect(try await users.latest().revision.number == 3)
        #expect(try await users.latest(in: work).revision.number == 1)
        let other = try await users.add("Read")
        await #expect(throws: ToDoError.itemNotFound(ids[0])) {
          try await users.ann.moveItems([other.id, ids[0]], from: .default, to: work)
        }
        #expect(try await users.titles() == ["Read"])
      },
      ListRule("items are moved all or none") { users async throws in
        let work = try await users.makeList()
        let (write, gone) = (try await users.add("Write"), try await users.add("Read"))
        _ = try await users.ann.items(in: .default).deleteItem(gone.id, ifRevision: nil)
        await #expect(throws: ToDoError.itemNotFound(gone.id)) {
          try await users.ann.moveItems([write.id, gone.id], from: .default, to: work)
        }
        let (call, twin) = (try await users.add("Call", to: work), try await users.add("Call"))
        await #expect(throws: ToDoError.duplicateItem(twin.id, existing: call.id)) {
          try await users.ann.moveItems([write.id, twin.id], from: .default, to: work)
        }
        #expect(try await users.titles() == ["Write", "Call"])
        #expect(try await users.titles(in: work) == ["Call"])
        let moved = try await users.ann.moveItems(
          [twin.id, write.id], from: .default, to: work, allowingDuplicate: true)
        #expect(moved.map(\.id) == [twin.id, write.id])
      },
      ListRule("an item whose ID the other list has used is not moved") { users async throws in
        let work = try await users.makeList()
        let id = ItemID(time: users.clock.now())
        for (list, title) in [(.default, "Call"), (work, "Write")] as [(ListID, String)] {
          _ = try await users.ann.items(in: list).addItem(NewItem(id: id, content: ItemContent(title: title)))
        }
        await #expect(throws: ToDoError.itemIDConflict(id)) {
          try await users.ann.moveItems([id], from: .default, to: work)
        }
        _ = try await users.ann.items(in: work).deleteItem(id, ifRevision: nil)
        await #expect(throws: ToDoError.itemIDDeleted(id)) {
          try await users.ann.moveItems([id], from: .default, to: work)
        }
        _ = try await users.ann.items(in: work).deleteItems(.deleted)
        #expect(try await users.ann.moveItems([id], from: .default, to: work).map(\.title) == ["Call"])
      },
      ListRule("an item is moved there and back, with a new number each time") { users async throws in
        let work = try await users.makeList()
        let item = try await users.add("Call")
        for number in 1...3 {
          let moved = try await users.ann.moveItems([item.id], from: .default, to: work)
          #expect(moved.map(\.number.value) == [Int64(number)])
          let back = try await users.ann.moveItems([item.id], from: work, to: .default)
          #expect(back.map(\.number.value) == [Int64(number + 1)])
        }
        #expect(try await users.titles() == ["Call"])
      },
      ListRule("an invalid move is rejected, and its fields are named") { users async throws in
        let work = try await users.makeList()
        let id = try await users.add("Call").id
        for ids in [[], [id, id], (0...UserList.Limits.movedItems).map { _ in ItemID() }] {
          await expectViolations(of: ["ids"]) { try await users.ann.moveItems(ids, from: .default, to: work) }
        }
        await expectViolations(of: ["target_list"]) {
          try await users.ann.moveItems([id], from: .default, to: .default)
        }
        #expect(try await users.titles() == ["Call"])
      },
      ListRule("items move between lists of the user that are not deleted") { users async throws in
        let (work, home, unknown) = (try await users.makeList(), try await users.makeList("Home"), ListID())
        let (item, other) = (try await users.add("Call"), try await users.add("Write", to: work))
        let theirs = try await users.add("Read", of: users.bob)
        await expectNoList(unknown) { try await users.ann.moveItems([item.id], from: .default, to: unknown) }
        await expectNoList(unknown) { try await users.ann.moveItems([item.id], from: unknown, to: work) }
        await expectNoList(work) { try await users.bob.moveItems([theirs.id], from: .default, to: work) }
        await expectNoList(work) { try await users.bob.moveItems([other.id], from: work, to: .default) }
        _ = try await users.ann.deleteList(work)
        await expectNoList(work) { try await users.ann.moveItems([item.id], from: .default, to: work) }
        await expectNoList(work) { try await users.ann.moveItems([other.id], from: work, to: home) }
        #expect(try await users.titles() == ["Call"])
        #expect(try await users.titles(of: users.bob) == ["Read"])
      },
      ListRule("an item that is moved to two lists at the same time is in one of them") { users async throws in
        let lists = [try await users.makeList(), try await users.makeList("Home")]
        let items = try await users.ann.items(in: .default).addItems(
          (0..<10).map { NewItem(id: ItemID(high: 7, low: $0), content: ItemContent(title: "Item \($0)")) })
        let moved = try await withThrowingTaskGroup(of: Int.self) { group in
          for item in items {
            for list in lists {
              group.addTask {
                do { return try await users.ann.moveItems([item.id], from: .default, to: list).count } catch {
                  #expect(error as? ToDoError == .itemNotFound(item.id))
                  return 0
                }
              }
            }
          }
          return try await group.reduce(0, +)
        }
        #expect(moved == items.count)
        #expect(try await users.titles() == [])
        let all = try await users.titles(in: lists[0]) + users.titles(in: lists[1])
        #expect(all.sorted() == items.map(\.title))
      },
    ]
  }

  static var revertingMoves: [ListRule] {
    [
      ListRule("reverting a move, in either list, moves the items back, and can be reverted") { users async throws in
        let work = try await users.makeList()
        let ids = [try await users.add("Call").id, try await users.add("Write").id]
        for list in [.default, work] as [ListID] {
          _ = try await users.ann.moveItems(ids, from: .default, to: work)
          let moved = (try await users.latest().revision, try await users.latest(in: work).revision)
          let service = users.ann.items(in: list)
          let reversal = try await service.revertRevision(list.isDefault ? moved.0 : moved.1)
          #expect((reversal.revertedCount, reversal.refusedCount) == (2, 0))
          #expect(try await users.titles() == ["Call", "Write"])
          #expect(try await users.titles(in: work) == [])
          #expect(try await users.latest().origin.reverted == moved.0)
          #expect(try await users.latest(in: work).origin.reverted == moved.1)
          #expect(try await service.revertRevision(reversal.revision).revertedCount == 2)
          #expect(try await users.titles(in: work) == ["Call", "Write"])
          _ = try await users.ann.moveItems(ids, from: work, to: .default)
        }
      },
      ListRule("reverting a move refuses items that have changed since, with the reason") { users async throws in
        let (work, home) = (try await users.makeList(), try await users.makeList("Home"))
        var ids: [ItemID] = []
        for title in ["Call", "Changed", "Deleted", "Duplicate", "Moved on", "Undone"] {
          ids.append(try await users.add(title).id)
        }
        _ = try await users.ann.moveItems(ids, from: .default, to: work)
        let office = users.ann.items(in: work)
        var edit = ItemEdit()
        edit.title = "Other"
        _ = try await office.updateItem(ids[1], edit, ifRevision: nil)
        _ = try await office.deleteItem(ids[2], ifRevision: nil)
        try await users.add("Duplicate")
        _ = try await users.ann.moveItems([ids[4]], from: work, to: home)
        _ = try await office.checkItem(ids[5], ifRevision: nil)
        _ = try await office.uncheckItem(ids[5], ifRevision: nil)
        let reversal = try await office.revertRevision(Revision(1))
        #expect((reversal.revertedCount, reversal.refusedCount) == (2, 4))
        let reasons = reversal.refusals.map { [$0.title ?? "", "\($0.reason)"] }.sorted { $0[0] < $1[0] }
        #expect(
          reasons == [
            ["Deleted", "changedSince"], ["Duplicate", "duplicate"], ["Moved on", "changedSince"],
            ["Other", "changedSince"],
          ])
        #expect(try await users.titles() == ["Call", "Undone", "Duplicate"])
      },
      ListRule("a move to or from a deleted list is not reverted") { users async throws in
        let work = try await users.makeList()
        let item = try await users.add("Call")
        _ = try await users.ann.moveItems([item.id], from: .default, to: work)
        _ = try await users.ann.deleteList(work)
        let inbox = users.ann.items(in: .default)
        await expectNoList(work) { try await inbox.revertRevision(Revision(2)) }
        _ = try await users.ann.undeleteList(work)
        #expect(try await inbox.revertRevision(Revision(2)).revertedCount == 1)
      },
    ]
  }
}
