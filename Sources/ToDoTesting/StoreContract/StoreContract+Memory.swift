import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  /// A cached value always equals the last committed value.
  static var memoryRules: [Rule] {
    [
      Rule("a cached item equals the last written item") { store async throws in
        var item = try await store.add(.sample(1))
        for title in ["Once", "Twice", "Thrice"] {
          if title != "Once" { #expect(try await store.item(item.id, of: .local) == item) }
          #expect([nil, item].contains(store.cachedItem(item.id, of: .local)))
          item = try await store.update(item.titled(title))
          #expect([nil, item].contains(store.cachedItem(item.id, of: .local)))
        }
        #expect(store.cachedItem(item.id, of: OwnerID("other")) == nil)
      },
      Rule("a deleted item is not cached") { store async throws in
        let items = try await store.add([.sample(1), .sample(2), .sample(3, completed: 3)])
        for item in items { #expect(try await store.item(item.id, of: .local) == item) }
        try await store.delete(.sample(1))
        #expect(store.cachedItem(.sample(1), of: .local) == nil)
        #expect([nil, items[1]].contains(store.cachedItem(.sample(2), of: .local)))
        _ = try await store.delete(.done)
        #expect(store.cachedItem(.sample(3), of: .local) == nil)
        _ = try await store.delete(.all)
        #expect(store.cachedItem(.sample(2), of: .local) == nil)
      },
      Rule("a cached revision is the revision of the last write") { store async throws in
        let owner = OwnerID("other")
        func check(_ revision: Int64, at place: SourceLocation = #_sourceLocation) async throws {
          #expect([nil, Revision(revision)].contains(store.cachedRevision(of: .local)), sourceLocation: place)
          #expect(try await store.revision() == Revision(revision), sourceLocation: place)
          #expect([nil, Revision(revision)].contains(store.cachedRevision(of: .local)), sourceLocation: place)
          #expect([nil, .initial].contains(store.cachedRevision(of: owner)), sourceLocation: place)
        }
        try await check(0)
        try await store.add([.sample(1), .sample(2), .sample(3, completed: 3)])
        try await check(1)
        try await store.update(ToDoItem.sample(1).titled("Other"))
        try await check(2)
        try await store.delete(.sample(1))
        try await check(3)
        _ = try await store.delete(.done)
        try await check(4)
        _ = try await store.delete(.done)
        try await check(4)
        try await store.add(.sample(1), to: owner)
        #expect(try await store.revision(of: owner) == Revision(1))
        #expect([nil, Revision(1)].contains(store.cachedRevision(of: owner)))
        #expect([nil, Revision(4)].contains(store.cachedRevision(of: .local)))
      },
      Rule("the changes of a write that was rolled back are not cached") { store async throws in
        struct Refusal: Error {}
        let item = try await store.add(.sample(1))
        #expect(try await store.item(item.id, of: .local) == item)
        await #expect(throws: Refusal.self) {
          try await store.write(.local) { transaction in
            _ = try transaction.replace(item.titled("Other"), .edited)
            _ = try transaction.add(.sample(2))
            throw Refusal()
          }
        }
        #expect([nil, item].contains(store.cachedItem(item.id, of: .local)))
        #expect(store.cachedItem(.sample(2), of: .local) == nil)
      },
    ]
  }
}
