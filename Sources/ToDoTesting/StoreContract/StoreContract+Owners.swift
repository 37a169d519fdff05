import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  private static let others = [OwnerID("ann"), OwnerID("bob")]

  static var ownerRules: [Rule] {
    [
      Rule("items of two owners can have the same ID") { store async throws in
        let mine = try await store.add(.sample(1, title: "Mine"), to: others[0])
        let theirs = try await store.add(.sample(1, title: "Theirs"), to: others[1])
        let updated = try await store.update(mine.titled("Still mine"), of: others[0])
        #expect(try await store.item(mine.id, of: others[0]) == updated)
        #expect(try await store.item(mine.id, of: others[1]) == theirs)
      },
      Rule("an item of another owner does not exist") { store async throws in
        let item = try await store.add(.sample(1), to: others[0])
        #expect(try await store.item(item.id, of: others[1]) == nil)
        #expect(try await store.record(of: item.id, of: others[1]) == .absent)
        #expect(try await store.allItems(of: others[1]) == [])
        #expect(try await store.incompleteItem(matching: item.content, of: others[1]) == nil)
      },
      Rule("an ID that one owner deleted is absent for another owner") { store async throws in
        let item = try await store.add(.sample(1), to: others[0])
        try await store.delete(item.id, of: others[0])
        #expect(try await store.record(of: item.id, of: others[1]) == .absent)
        try await store.add(.sample(1), to: others[1])
        #expect(try await store.record(of: item.id, of: others[0]) == .deleted)
      },
      Rule("a bulk deletion does not affect the lists of other owners") { store async throws in
        for owner in others { try await store.add([.sample(1), .sample(2, completed: 3)], to: owner) }
        #expect(try await store.delete(.done, of: others[0]) == 1)
        #expect(try await store.delete(.all, of: others[0]) == 1)
        #expect(try await store.allItems(of: others[1]).map(\.id) == [.sample(1), .sample(2)])
      },
      Rule("revisions of two lists are independent") { store async throws in
        for number in 1...3 as ClosedRange<UInt64> { try await store.add(.sample(number), to: others[0]) }
        try await store.add(.sample(1), to: others[1])
        #expect(try await store.revision(of: others[0]) == Revision(3))
        #expect(try await store.revision(of: others[1]) == Revision(1))
        #expect(try await store.revision(of: OwnerID("nobody")) == .initial)
      },
      Rule("the item count includes adds, updates and deletions") { store async throws in
        func count(_ owner: OwnerID = others[0]) async throws -> Int {
          try await store.write(owner) { try $0.itemCount }
        }
        #expect(try await count() == 0)
        let items = try await store.add([.sample(1), .sample(2), .sample(3, completed: 3)], to: others[0])
        #expect(try await count() == 3)
        try await store.update(items[0].titled("Other"), of: others[0])
        _ = try? await store.write(others[0]) { transaction in
          try transaction.add(.sample(4))
          throw CancellationError()
        }
        #expect(try await count() == 3)
        try await store.delete(items[0].id, of: others[0])
        #expect(try await count() == 2)
        #expect(try await store.delete(.done, of: others[0]) == 1)
        #expect(try await count() == 1)
        let within = try await store.write(others[0]) { transaction in
          try transaction.add(.sample(5))
          return try transaction.itemCount
        }
        #expect(within == 2)
        #expect(try await count(others[1]) == 0)
      },
      Rule("any text is a valid owner name") { store async throws in
        let owners = ["", " ", "Ann", "ann", "o'brien; --", "日本語 🦊", String(repeating: "x", count: 1000)].map(
          OwnerID.init)
        for (number, owner) in owners.enumerated() { try await store.add(.sample(UInt64(number)), to: owner) }
        for (number, owner) in owners.enumerated() {
          #expect(try await store.allItems(of: owner).map(\.id) == [.sample(UInt64(number))])
        }
      },
    ]
  }
}
