import Testing
import ToDoModel

extension ServiceContract {
  static var inviting: [ListRule] {
    [
      ListRule("an invitation is seen by the invitee alone, who sees no items and no members") { users async throws in
        let work = try await users.ann.createList(NewList(name: "Work", color: .red))
        try await users.add("Report", to: work.id)
        let shared = try await users.ann.shareList(work.id, with: "bob", as: .editor)
        #expect(shared.members == [ListMember(user: "bob", role: .editor, isInvited: true)])
        #expect((shared.role, shared.ownerUser, shared.version) == (.owner, "", work.version + 1))
        let invitation = try #require(try await users.bob.invitations().first)
        #expect((invitation.name, invitation.color, invitation.ownerUser) == ("Work", .red, "ann"))
        #expect((invitation.role, invitation.isInvitation, invitation.members) == (.editor, true, []))
        #expect(try await users.bob.list(work.id) == invitation)
        #expect(try await users.bob.lists().lists == [.inbox])
        await expectNoList(work.id) { try await users.titles(in: work.id, of: users.bob) }
        await expectNoList(work.id) { try await users.add("Call", to: work.id, of: users.bob) }
        for user in [users.ann, users.cat] { #expect(try await user.invitations() == []) }
        await expectNoList(work.id) { try await users.cat.acceptList(work.id) }
      },
      ListRule("an accepted list is one of the invitee's lists, with its members") { users async throws in
        let work = try await users.makeSharedList(as: .viewer)
        _ = try await users.ann.shareList(work, with: "cat", as: .editor)
        let accepted = try await users.bob.acceptList(work)
        #expect((accepted.role, accepted.ownerUser, accepted.isInvitation) == (.viewer, "ann", false))
        #expect(
          accepted.members == [
            ListMember(user: "bob", role: .viewer), ListMember(user: "cat", role: .editor, isInvited: true),
          ])
        #expect(try await users.bob.lists().lists == [.inbox, accepted])
        #expect(try await users.bob.invitations() == [])
        #expect(try await users.ann.list(work).members == accepted.members)
      },
      ListRule("accepting again, and sharing again in the same role, change nothing") { users async throws in
        let work = try await users.makeSharedList()
        let version = try await users.ann.lists().version
        #expect(try await users.bob.acceptList(work).version == version)
        #expect(try await users.ann.shareList(work, with: "bob", as: .editor).version == version)
        let viewed = try await users.ann.shareList(work, with: "bob", as: .viewer)
        #expect(viewed.members == [ListMember(user: "bob", role: .viewer)])
        #expect(try await users.bob.list(work).role == .viewer)
      },
      ListRule("an invalid sharing is rejected, and its field is named") { users async throws in
        let work = try await users.makeList()
        for (user, role) in [("ann", .editor), ("Bob", .editor), ("", .viewer)] as [(String, ListRole)] {
          await expectViolations(of: ["user"]) { try await users.ann.shareList(work, with: user, as: role) }
        }
        await expectViolations(of: ["role"]) { try await users.ann.shareList(work, with: "bob", as: .owner) }
        await #expect(throws: ToDoError.userNotFound("eve")) {
          try await users.ann.shareList(work, with: "eve", as: .editor)
        }
        #expect(try await users.ann.list(work).members == [])
      },
      ListRule("who does not own a list learns nothing of users by sharing it") { users async throws in
        let (work, unknown) = (try await users.makeSharedList(), ListID())
        for name in ["cat", "eve"] {
          await expectNoList(unknown) { try await users.ann.shareList(unknown, with: name, as: .editor) }
          await expectNoList(work) { try await users.cat.shareList(work, with: name, as: .editor) }
          await expectNotPermitted(.owner) { try await users.bob.shareList(work, with: name, as: .editor) }
        }
      },
      ListRule("an invitation is withdrawn or declined, and can be made again") { users async throws in
        let work = try await users.makeList()
        _ = try await users.ann.shareList(work, with: "bob", as: .editor)
        #expect(try await users.ann.unshareList(work, with: "bob").members == [])
        #expect(try await users.bob.invitations() == [])
        await expectNoList(work) { try await users.bob.acceptList(work) }
        _ = try await users.ann.shareList(work, with: "bob", as: .viewer)
        #expect(try await users.bob.leaveList(work).isInvitation)
        #expect(try await users.ann.list(work).members == [])
        await expectNoList(work) { try await users.bob.leaveList(work) }
        _ = try await users.ann.shareList(work, with: "bob", as: .editor)
        #expect(try await users.bob.acceptList(work).role == .editor)
      },
      ListRule("a user has at most ten unanswered invitations by another one") { users async throws in
        for number in 0..<UserList.Limits.invitations {
          _ = try await users.ann.shareList(try await users.makeList("\(number)"), with: "bob", as: .viewer)
        }
        let last = try await users.makeList("last")
        await expectViolations(of: ["user"]) { try await users.ann.shareList(last, with: "bob", as: .viewer) }
        _ = try await users.bob.acceptList(try #require(try await users.bob.invitations().first?.id))
        _ = try await users.ann.shareList(last, with: "bob", as: .viewer)
      },
    ]
  }

  static var memberships: [ListRule] {
    [
      ListRule("the owner and the members see the same items, and each other's changes") { users async throws in
        let work = try await users.makeSharedList()
        let report = try await users.add("Report", to: work)
        let checked = try await users.bob.items(in: work).checkItem(report.id, ifRevision: report.revision)
        #expect(try await users.ann.items(in: work).item(report.id) == checked)
        let call = try await users.add("Call", to: work, of: users.bob)
        #expect((call.number.value, call.revision.number) == (2, 3))
        for user in [users.ann, users.bob] {
          let page = try await user.items(in: work).items(ItemQuery(order: .created))
          #expect((page.items, page.revision.number) == ([checked, call], 3))
        }
      },
      ListRule("every change names its user, in the history, in the feed and in watches") { users async throws in
        let work = try await users.makeSharedList()
        let watch = Subscription(users.ann.items(in: work).watch(from: .after(.initial), state: .all))
        #expect(try await watch.next() == .progress(.initial))
        let report = try await users.add("Report", to: work)
        _ = try await users.bob.items(in: work).checkItem(report.id, ifRevision: nil)
        let call = try await users.add("Call", of: users.bob)
        _ = try await users.bob.moveItems([call.id], from: .default, to: work)
        let authors = ["ann", "bob", "bob"]
        for user in [users.ann, users.bob] {
          let records = try await user.items(in: work).history(HistoryQuery()).revisions
          #expect(records.map(\.origin.user) == authors.reversed())
        }
        let records = try await users.bob.items(in: work).history(HistoryQuery()).revisions
        #expect(records.map(\.isOwn) == [true, true, false])
        let page = try await users.bob.items(in: work).changes(ChangeQuery(after: .initial))
        #expect(page.users == page.changes.map { authors[Int($0.revision.number) - 1] })
        #expect(Set(page.changes.map(\.revision.number)).isSuperset(of: [2, 3]))
        for author in authors {
          guard case .changes(let set)? = try await watch.next() else {
            Issue.record("a watch emits another event")
            return
          }
          #expect(set.user == author)
        }
      },
      ListRule("a member who leaves has no access, and can be invited again") { users async throws in
        let work = try await users.makeSharedList()
        try await users.add("Report", to: work, of: users.bob)
        #expect(try await users.bob.leaveList(work).ownerUser == "ann")
        #expect(try await users.bob.lists().lists == [.inbox])
        #expect(try await users.ann.list(work).members == [])
        #expect(try await users.titles(in: work) == ["Report"])
        await expectNoList(work) { try await users.titles(in: work, of: users.bob) }
        await expectNoList(work) { try await users.add("Call", to: work, of: users.bob) }
        await expectNoList(work) { try await users.bob.acceptList(work) }
        _ = try await users.ann.shareList(work, with: "bob", as: .viewer)
        _ = try await users.bob.acceptList(work)
        #expect(try await users.titles(in: work, of: users.bob) == ["Report"])
      },
      ListRule("the watches, reads and writes of a removed member end") { users async throws in
        let work = try await users.makeSharedList()
        let report = try await users.add("Report", to: work, of: users.bob)
        let watch = Subscription(users.bob.items(in: work).watch(from: .after(report.revision), state: .all))
        #expect(try await watch.next() == .progress(report.revision))
        let lists = Subscription(users.bob.watchLists())
        #expect(try await lists.next()?.lists.count == 2)
        #expect(try await users.ann.unshareList(work, with: "bob").members == [])
        await expectNoList(work) { while try await watch.next() != nil {} }
        #expect(try await lists.next()?.lists == [.inbox])
        let items = users.bob.items(in: work)
        await expectNoList(work) { try await items.item(report.id) }
        await expectNoList(work) { try await items.history(HistoryQuery()) }
        await expectNoList(work) { try await items.changes(ChangeQuery(after: .initial)) }
        await expectNoList(work) { try await items.checkItem(report.id, ifRevision: nil) }
        await expectNoList(work) { try await items.revertRevision(report.revision) }
        await expectNoList(work) { try await users.bob.moveItems([report.id], from: work, to: .default) }
        #expect(try await users.latest(in: work).revision == report.revision)
        #expect(try await users.ann.unshareList(work, with: "bob").members == [])
      },
      ListRule("a change of role is in force for the next call, and ends no watch") { users async throws in
        let work = try await users.makeSharedList()
        let report = try await users.add("Report", to: work, of: users.bob)
        let watch = Subscription(users.bob.items(in: work).watch(from: .after(report.revision), state: .all))
        #expect(try await watch.next() == .progress(report.revision))
        _ = try await users.ann.shareList(work, with: "bob", as: .viewer)
        await expectNotPermitted(.editor) { try await users.add("Call", to: work, of: users.bob) }
        let call = try await users.add("Call", to: work)
        #expect(
          try await watch.next()
            == .changes(ChangeSet(revision: call.revision, changes: [.put(call, .added)], user: "ann")))
        _ = try await users.ann.shareList(work, with: "bob", as: .editor)
        try await users.add("Write", to: work, of: users.bob)
        #expect(try await users.titles(in: work) == ["Report", "Call", "Write"])
      },
      ListRule("a deleted list is restored with its members, and without its invitations") { users async throws in
        let work = try await users.makeSharedList()
        _ = try await users.ann.shareList(work, with: "cat", as: .viewer)
        _ = try await users.ann.deleteList(work)
        #expect(try await users.bob.lists().lists == [.inbox])
        let deleted = try #require(try await users.bob.lists(includingDeleted: true).lists.last)
        #expect((deleted.id, deleted.isDeleted, deleted.ownerUser) == (work, true, "ann"))
        #expect(try await users.cat.invitations() == [])
        await expectNoList(work) { try await users.titles(in: work, of: users.bob) }
        await expectNotPermitted(.owner) { try await users.bob.undeleteList(work) }
        #expect(try await users.ann.undeleteList(work).members == [ListMember(user: "bob", role: .editor)])
        #expect(try await users.titles(in: work, of: users.bob) == [])
        _ = try await users.ann.deleteList(work)
        _ = try await users.bob.leaveList(work)
        #expect(try await users.ann.undeleteList(work).members == [])
      },
      ListRule("a member's watch of lists emits a shared list from its acceptance") { users async throws in
        let watch = Subscription(users.bob.watchLists())
        #expect(try await watch.next()?.lists == [.inbox])
        let work = try await users.makeSharedList()
        #expect(try await watch.next()?.lists.map(\.id) == [.default, work])
        _ = try await users.ann.updateList(work, ListEdit(name: "Office"), ifVersion: nil)
        #expect(try await watch.next()?.lists.map(\.name) == ["Inbox", "Office"])
        _ = try await users.bob.leaveList(work)
        #expect(try await watch.next()?.lists == [.inbox])
      },
    ]
  }

  static var roles: [ListRule] {
    [
      ListRule("a viewer reads everything, and changes no item") { users async throws in
        let work = try await users.makeSharedList(as: .viewer)
        let report = try await users.add("Report", to: work)
        let own = try await users.add("Own", of: users.bob)
        let items = users.bob.items(in: work)
        #expect(try await items.item(report.id) == report)
        #expect(try await items.history(HistoryQuery()).revisions.count == 1)
        #expect(try await items.changes(ChangeQuery(after: .initial)).changes == [.put(report, .added)])
        var edit = ItemEdit()
        edit.title = "Mine"
        let (id, change) = (report.id, edit)
        await expectNotPermitted(.editor) { try await users.add("Mine", to: work, of: users.bob) }
        await expectNotPermitted(.editor) { try await items.updateItem(id, change, ifRevision: nil) }
        await expectNotPermitted(.editor) { try await items.checkItem(id, ifRevision: nil) }
        await expectNotPermitted(.editor) { try await items.uncheckItem(id, ifRevision: nil) }
        await expectNotPermitted(.editor) { try await items.deleteItem(id, ifRevision: nil) }
        await expectNotPermitted(.editor) {
          try await items.undeleteItem(id, ifRevision: nil, allowingDuplicate: false)
        }
        await expectNotPermitted(.editor) { try await items.deleteItems(.all) }
        await expectNotPermitted(.editor) { try await items.renameTag(TagRenaming(from: "a", to: "b")) }
        await expectNotPermitted(.editor) { try await items.revertRevision(Revision(1)) }
        await expectNotPermitted(.editor) { try await users.bob.moveItems([id], from: work, to: .default) }
        await expectNotPermitted(.editor) { try await users.bob.moveItems([own.id], from: .default, to: work) }
        #expect(try await users.latest(in: work).revision == report.revision)
      },
      ListRule("an editor changes items, and deletes none of them for good") { users async throws in
        let work = try await users.makeSharedList()
        let report = try await users.add("Report", to: work)
        let items = users.bob.items(in: work)
        #expect(try await !items.deleteItem(report.id, ifRevision: nil, permanentlyIfFull: true).isPermanent)
        await expectNotPermitted(.owner) { try await items.deleteItems(.deleted) }
        #expect(try await items.undeleteItem(report.id, ifRevision: nil, allowingDuplicate: false).title == "Report")
        #expect(try await !items.deleteItems(.all, permanentlyIfFull: true).isPermanent)
        #expect(try await users.ann.items(in: work).deleteItems(.deleted).deletedCount == 1)
      },
      ListRule("only the owner changes a list, shares it and restores it") { users async throws in
        let work = try await users.makeSharedList()
        let changes: [@Sendable (any ToDoListService) async throws -> UserList] = [
          { try await $0.updateList(work, ListEdit(name: "Office"), ifVersion: nil) },
          { try await $0.deleteList(work) }, { try await $0.undeleteList(work) },
          { try await $0.shareList(work, with: "cat", as: .viewer) }, { try await $0.unshareList(work, with: "bob") },
        ]
        let former = try await users.ann.lists()
        for role in [ListRole.editor, .viewer] {
          for change in changes {
            await expectNotPermitted(.owner) { try await change(users.bob) }
            await expectNoList(work) { try await change(users.cat) }
          }
          if role == .editor {
            #expect(try await users.ann.lists() == former)
            _ = try await users.ann.shareList(work, with: "bob", as: .viewer)
          }
        }
        for user in [users.ann, users.cat] {
          await expectNoList(work) { try await user.acceptList(work) }
          await expectNoList(work) { try await user.leaveList(work) }
        }
      },
      ListRule("an editor moves items between a shared list and an own one, and reverts it") { users async throws in
        let work = try await users.makeSharedList()
        let report = try await users.add("Report", to: work)
        let moved = try await users.bob.moveItems([report.id], from: work, to: .default)
        #expect(try await users.titles(in: work) == [])
        #expect(try await users.bob.items(in: .default).items(ItemQuery()).items == moved)
        #expect(try await users.latest(in: work).origin.user == "bob")
        let reversal = try await users.bob.items(in: .default).revertRevision(Revision(1))
        #expect(reversal.revertedCount == 1)
        #expect(try await users.titles(in: work) == ["Report"])
        #expect(try await users.titles(of: users.bob) == [])
      },
      ListRule("a move to a member's default list is reverted by that member alone") { users async throws in
        let work = try await users.makeSharedList()
        let report = try await users.add("Report", to: work)
        // The default list of ann has the revision of the move, too.
        try await users.add("One")
        _ = try await users.bob.moveItems([report.id], from: work, to: .default)
        await expectNoList(.default) { try await users.ann.items(in: work).revertRevision(Revision(2)) }
        #expect(try await users.titles(of: users.bob) == ["Report"])
        #expect(try await users.bob.items(in: work).revertRevision(Revision(2)).revertedCount == 1)
        #expect(try await users.titles(in: work) == ["Report"])
      },
    ]
  }
}
