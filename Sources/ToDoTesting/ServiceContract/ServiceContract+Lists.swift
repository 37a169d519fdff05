import Testing
import ToDoModel

extension ServiceContract {
  static var creatingLists: [ListRule] {
    [
      ListRule("a user has the default list, and those that the user creates") { users async throws in
        #expect(try await users.ann.lists().lists == [.inbox])
        let new = NewList(name: "Büro 🎨", color: .blue)
        let created = try await users.ann.createList(new)
        #expect((created.id, created.name, created.color, created.order) == (new.id, new.name, new.color, 1))
        #expect((created.createdAt, created.updatedAt) == (users.clock.now(), users.clock.now()))
        #expect((created.role, created.ownerUser, created.isInvitation, created.members) == (.owner, "", false, []))
        #expect(try await users.ann.lists().lists == [.inbox, created])
        #expect(try await users.ann.list(new.id) == created)
        #expect(try await users.ann.list(.default) == .inbox)
        #expect(try await users.bob.lists().lists == [.inbox])
        await expectNoList(new.id) { try await users.bob.list(new.id) }
      },
      ListRule("a list that is created again is the same list, and with another name or color a conflict") {
        users async throws in
        let new = NewList(name: "Work", color: .red)
        _ = try await users.ann.createList(new)
        let edited = try await users.ann.updateList(new.id, ListEdit(name: "Office"), ifVersion: nil)
        #expect(try await users.ann.createList(new) == edited)
        #expect(try await users.ann.lists().version == edited.version)
        let others = [NewList(id: new.id, name: "Office", color: .red), NewList(id: new.id, name: "Work")]
        for other in others {
          await #expect(throws: ToDoError.listIDConflict(new.id)) { try await users.ann.createList(other) }
        }
        await #expect(throws: ToDoError.listIDConflict(new.id)) { try await users.bob.createList(new) }
      },
      ListRule("the names of a user's lists differ in more than case and accents") { users async throws in
        let work = try await users.makeList("Büro")
        let other = NewList(name: "BURO")
        await #expect(throws: ToDoError.duplicateList(other.id, existing: work)) {
          try await users.ann.createList(other)
        }
        let home = try await users.makeList("Home")
        for name in ["inbox", "Inbox"] {
          await #expect(throws: ToDoError.duplicateList(home, existing: .default)) {
            try await users.ann.updateList(home, ListEdit(name: name), ifVersion: nil)
          }
        }
        #expect(try await users.ann.updateList(work, ListEdit(name: "BÜRO"), ifVersion: nil).name == "BÜRO")
        #expect(try await users.bob.createList(other).name == "BURO")
      },
      ListRule("a list with an invalid name or the default ID is rejected, and its fields are named") {
        users async throws in
        let long = String(repeating: "x", count: UserList.Limits.nameCharacters + 1)
        for name in ["", "  ", "a/b", "a\nb", " a", "a ", long] {
          await expectViolations(of: ["name"]) { try await users.ann.createList(NewList(name: name)) }
          await expectViolations(of: ["list.name"]) {
            try await users.ann.updateList(.default, ListEdit(name: name), ifVersion: nil)
          }
        }
        await expectViolations(of: ["id", "name"]) {
          try await users.ann.createList(NewList(id: .default, name: ""))
        }
        #expect(try await users.ann.lists().lists == [.inbox])
      },
    ]
  }

  static var changingLists: [ListRule] {
    [
      ListRule("an edit changes only the fields that it has, and the default list as well") { users async throws in
        let work = try await users.ann.createList(NewList(name: "Work", color: .teal))
        users.clock.advance(by: .seconds(1))
        var expected = work
        (expected.name, expected.updatedAt, expected.version) = ("Office", users.clock.now(), work.version + 1)
        #expect(try await users.ann.updateList(work.id, ListEdit(name: "Office"), ifVersion: work.version) == expected)
        let edited = try await users.ann.updateList(.default, ListEdit(color: .pink, order: -7), ifVersion: nil)
        #expect((edited.id, edited.name, edited.color, edited.order) == (.default, "Inbox", .pink, -7))
        #expect(try await users.ann.lists().lists == [edited, expected])
        #expect(try await users.bob.lists().lists == [.inbox])
      },
      ListRule("an edit that changes nothing has no version, and an empty one is rejected") { users async throws in
        let work = try await users.ann.createList(NewList(name: "Work", color: .teal))
        users.clock.advance(by: .seconds(1))
        #expect(
          try await users.ann.updateList(work.id, ListEdit(name: "Work", color: .teal), ifVersion: nil) == work)
        await expectViolations(of: ["update_mask"]) {
          try await users.ann.updateList(work.id, ListEdit(), ifVersion: nil)
        }
        #expect(try await users.ann.lists().version == work.version)
      },
      ListRule("an edit that expects another version is refused") { users async throws in
        let work = try await users.ann.createList(NewList(name: "Work"))
        let edited = try await users.ann.updateList(work.id, ListEdit(order: 3), ifVersion: work.version)
        await #expect(throws: ToDoError.listVersionMismatch(work.id, current: edited.version)) {
          try await users.ann.updateList(work.id, ListEdit(order: 4), ifVersion: work.version)
        }
        #expect(try await users.ann.list(work.id) == edited)
      },
      ListRule("lists are in the order of their positions, and then of their names") { users async throws in
        for name in ["zoo", "Äpfel", "Bar", "apfel 2"] { _ = try await users.makeList(name) }
        let last = try await users.ann.lists().lists.last
        let zoo = try #require(last)
        _ = try await users.ann.updateList(zoo.id, ListEdit(order: -1), ifVersion: nil)
        #expect(
          try await users.ann.lists().lists.map(\.name) == ["zoo", "Inbox", "Äpfel", "apfel 2", "Bar"])
      },
      ListRule("a deleted list can be restored with its items for 30 days") { users async throws in
        let work = try await users.makeList()
        let item = try await users.add("Report", to: work)
        let deleted = try await users.ann.deleteList(work)
        let expiry = Timestamp(microseconds: users.clock.now().microseconds + 30 * 86_400 * 1_000_000)
        #expect(deleted.deletion == ToDoItem.Deletion(deletedAt: users.clock.now(), expiresAt: expiry))
        #expect(try await users.ann.lists().lists == [.inbox])
        #expect(try await users.ann.lists(includingDeleted: true).lists == [.inbox, deleted])
        #expect(try await users.ann.list(work) == deleted)
        await expectNoList(work) { try await users.titles(in: work) }
        await expectNoList(work) { try await users.ann.deleteList(work) }
        await expectNoList(work) { try await users.ann.updateList(work, ListEdit(order: 3), ifVersion: nil) }
        users.clock.advance(by: .seconds(30 * 86_400 - 1))
        #expect(try await users.ann.undeleteList(work).deletion == nil)
        #expect(try await users.ann.items(in: work).item(item.id) == item)
        await #expect(throws: ToDoError.listNotDeleted(work)) { try await users.ann.undeleteList(work) }
        _ = try await users.ann.deleteList(work)
        users.clock.advance(by: .seconds(30 * 86_400))
        await expectNoList(work) { try await users.ann.undeleteList(work) }
        #expect(try await users.ann.lists(includingDeleted: true).lists == [.inbox])
      },
      ListRule("a deleted list is not restored while another one has its name") { users async throws in
        let work = try await users.makeList("Work")
        _ = try await users.ann.deleteList(work)
        let other = try await users.makeList("WORK")
        await #expect(throws: ToDoError.duplicateList(work, existing: other)) {
          try await users.ann.undeleteList(work)
        }
        _ = try await users.ann.updateList(other, ListEdit(name: "Office"), ifVersion: nil)
        #expect(try await users.ann.undeleteList(work).name == "Work")
      },
      ListRule("the default list is neither deleted, restored nor shared") { users async throws in
        await expectViolations(of: ["id"]) { try await users.ann.deleteList(.default) }
        await #expect(throws: ToDoError.listNotDeleted(.default)) { try await users.ann.undeleteList(.default) }
        await expectViolations(of: ["id"]) { try await users.ann.shareList(.default, with: "bob", as: .editor) }
        await expectViolations(of: ["id"]) { try await users.ann.unshareList(.default, with: "bob") }
        await expectViolations(of: ["id"]) { try await users.bob.acceptList(.default) }
        await expectViolations(of: ["id"]) { try await users.bob.leaveList(.default) }
      },
      ListRule("a watch emits the lists at once, and after each change") { users async throws in
        let watch = Subscription(users.ann.watchLists())
        #expect(try await watch.next()?.lists == [.inbox])
        let work = try await users.ann.createList(NewList(name: "Work"))
        #expect(try await watch.next() == ListSet(version: work.version, lists: [.inbox, work]))
        let edited = try await users.ann.updateList(work.id, ListEdit(color: .red), ifVersion: nil)
        #expect(try await watch.next()?.lists == [.inbox, edited])
        let deleted = try await users.ann.deleteList(work.id)
        #expect(try await watch.next() == ListSet(version: deleted.version, lists: [.inbox]))
        let all = Subscription(users.ann.watchLists(includingDeleted: true))
        #expect(try await all.next()?.lists == [.inbox, deleted])
      },
    ]
  }

  static var itemsOfLists: [ListRule] {
    [
      ListRule("each list has items, numbers, revisions and a history of its own") { users async throws in
        let work = try await users.makeList()
        let report = try await users.add("Report", to: work)
        let call = try await users.add("Call")
        for item in [report, call] { #expect((item.number.value, item.revision.number) == (1, 1)) }
        #expect(try await users.titles(in: work) == ["Report"])
        #expect(try await users.titles() == ["Call"])
        await #expect(throws: ToDoError.itemNotFound(report.id)) {
          try await users.ann.items(in: .default).item(report.id)
        }
        let page = try await users.ann.items(in: work).changes(ChangeQuery(after: .initial))
        #expect(page.changes == [.put(report, .added)])
        #expect(try await users.latest(in: work).changes.map(\.item) == [report.id])
        #expect(try await users.titles(of: users.bob) == [])
      },
      ListRule("items with one ID or one content can be in several lists") { users async throws in
        let work = try await users.makeList()
        let new = NewItem(id: ItemID(time: users.clock.now()), content: ItemContent(title: "Call"))
        for list in [.default, work] as [ListID] {
          #expect(try await users.ann.items(in: list).addItem(new).number.value == 1)
        }
        _ = try await users.ann.items(in: work).checkItem(new.id, ifRevision: nil)
        #expect(try await !users.ann.items(in: .default).item(new.id).isDone)
      },
      ListRule("an unknown list, and one of another user, is not found") { users async throws in
        let work = try await users.makeList()
        let item = try await users.add("Report", to: work)
        for (user, list) in [(users.ann, ListID()), (users.bob, work)] {
          await expectNoList(list) { try await users.titles(in: list, of: user) }
          await expectNoList(list) { try await users.add("Call", to: list, of: user) }
          await expectNoList(list) { try await user.items(in: list).item(item.id) }
          await expectNoList(list) { try await user.items(in: list).checkItem(item.id, ifRevision: nil) }
          await expectNoList(list) { try await user.deleteList(list) }
          await expectNoList(list) { try await user.updateList(list, ListEdit(order: 3), ifVersion: nil) }
        }
        #expect(try await users.latest(in: work).revision.number == 1)
      },
      ListRule("a watch of items ends when their list is deleted") { users async throws in
        let work = try await users.makeList()
        let watch = Subscription(users.ann.items(in: work).watch(from: .snapshot, state: .all))
        #expect(try await watch.next() == .snapshotEnd(.initial))
        _ = try await users.ann.deleteList(work)
        await expectNoList(work) { while try await watch.next() != nil {} }
      },
    ]
  }
}
