import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  static var revisionRules: [Rule] {
    [
      Rule("a list that never changed is at revision 0") { store async throws in
        #expect(try await store.revision() == .initial)
        #expect(try await store.items(ItemSelection(limit: 1), of: .local).items == [])
      },
      Rule("a transaction's revision is the list's plus one, before and after its changes") { store async throws in
        let seen = try await store.write(.local) { transaction in
          var seen = [try transaction.revision]
          try transaction.add(.sample(1))
          seen.append(try transaction.revision)
          try transaction.add(.sample(2))
          seen.append(try transaction.revision)
          return seen
        }
        #expect(seen == Array(repeating: Revision(1), count: 3))
        #expect(try await store.write(.local) { try $0.revision } == Revision(2))
      },
      Rule("each transaction that changes anything increments the revision by one") { store async throws in
        var revisions: [Revision] = []
        let items = try await store.add((1...10).map { .sample($0) })
        revisions.append(try await store.revision())
        try await store.update(items[0].titled("Other"))
        revisions.append(try await store.revision())
        try await store.delete(items[1].id)
        revisions.append(try await store.revision())
        _ = try await store.delete(.all)
        revisions.append(try await store.revision())
        #expect(revisions == [1, 2, 3, 4].map(Revision.init))
      },
      Rule("a transaction that only reads does not change the revision") { store async throws in
        let item = try await store.add(.sample(1))
        _ = try await store.record(of: item.id)
        _ = try await store.incompleteItem(matching: item.content)
        _ = try await store.write(.local) { try $0.revision }
        #expect(try await store.revision() == Revision(1))
      },
      Rule("a bulk deletion of no items does not change the revision") { store async throws in
        #expect(try await store.delete(.all) == 0)
        #expect(try await store.revision() == .initial)
        try await store.add(.sample(1))
        #expect(try await store.delete(.done) == 0)
        #expect(try await store.revision() == Revision(1))
      },
      Rule("items preserve the revision that they were stored with") { store async throws in
        let first = try await store.add(.sample(1))
        let second = try await store.add(.sample(2))
        #expect([first.revision, second.revision] == [1, 2].map(Revision.init))
        #expect(try await store.allItems() == [first, second])
      },
    ]
  }
}
