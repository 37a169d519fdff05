import Testing
import ToDoModel
import ToDoRules

extension ServiceContract {
  static var incarnations: [Rule] {
    [
      Rule("the revisions of items, pages and watches name the incarnation of the list") { subject async throws in
        let item = try await subject.add("Milk")
        let page = try await subject.service.items(ItemQuery())
        let incarnation = try #require(page.revision.incarnation)
        #expect(try await subject.service.item(item.id).revision.incarnation == incarnation)
        let changes = try await subject.service.changes(ChangeQuery(after: .initial))
        #expect(changes.nextRevision.incarnation == incarnation)
        let watch = Subscription(subject.service.watch(from: .now, state: .all))
        guard case .progress(let progress)? = try await watch.next() else {
          Issue.record("the watch does not begin with a progress")
          return
        }
        #expect(progress.incarnation == incarnation)
        let snapshot = Subscription(subject.service.watch(from: .snapshot, state: .all))
        _ = try await snapshot.next()
        guard case .snapshotEnd(let end)? = try await snapshot.next() else {
          Issue.record("the snapshot does not end")
          return
        }
        #expect(end.incarnation == incarnation)
      },
      Rule("changes after a revision of another incarnation are rejected") { subject async throws in
        try await subject.add("Milk")
        let other = Revision(1, of: .random())
        await #expect(throws: ToDoError.listReplaced) { try await subject.service.changes(ChangeQuery(after: other)) }
        let watch = Subscription(subject.service.watch(from: .after(other), state: .all))
        await #expect(throws: ToDoError.listReplaced) { try await watch.next() }
      },
      Rule("changes after a revision of the list's incarnation are returned") { subject async throws in
        try await subject.add("Milk")
        let revision = try await subject.service.items(ItemQuery()).revision
        let item = try await subject.add("Bread")
        #expect(try await subject.service.changes(ChangeQuery(after: revision)).changes == [.put(item, .added)])
        let watch = Subscription(subject.service.watch(from: .after(revision), state: .all))
        let set = ChangeSet(revision: item.revision, changes: [.put(item, .added)])
        #expect(try await watch.next() == .changes(set))
      },
      Rule("a change that requires a revision of another incarnation is rejected") { subject async throws in
        let item = try await subject.add("Milk")
        let other = Revision(item.revision.number, of: .random())
        var edit = ItemEdit()
        edit.title = "Bread"
        await #expect(throws: ToDoError.listReplaced) {
          try await subject.service.updateItem(item.id, edit, ifRevision: other)
        }
        await #expect(throws: ToDoError.listReplaced) {
          try await subject.service.checkItem(item.id, ifRevision: other)
        }
        await #expect(throws: ToDoError.listReplaced) {
          try await subject.service.uncheckItem(item.id, ifRevision: other)
        }
        await #expect(throws: ToDoError.listReplaced) {
          try await subject.service.deleteItem(item.id, ifRevision: other)
        }
        #expect(try await subject.service.items(ItemQuery()).items == [item])
      },
      Rule("a change can require a revision from a page") { subject async throws in
        let added = try await subject.add("Milk")
        let page = try await subject.service.items(ItemQuery())
        let item = try #require(page.items.first)
        let checked = try await subject.service.checkItem(added.id, ifRevision: item.revision)
        #expect(checked.isDone)
      },
      Rule("a page token of another incarnation is rejected") { subject async throws in
        let item = try await subject.add("Milk")
        var query = ItemQuery(pageSize: 1)
        query.pageToken = PageToken(position: ItemPosition(of: item, in: .list)).encoded(for: query, of: .random())
        let refused = query
        await #expect(throws: ToDoError.listReplaced) { try await subject.service.items(refused) }
      },
    ]
  }
}
