import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  private struct Refusal: Error {}

  static var numberRules: [Rule] {
    [
      Rule("the items of each owner are numbered from 1 on, in the order in which they are added") {
        store async throws in
        let first = try await store.add([.sample(3), .sample(1)])
        let second = try await store.add(.sample(2))
        #expect(first.map(\.number.value) == [1, 2])
        #expect(second.number == ItemNumber(3))
        #expect(try await store.add(.sample(1), to: OwnerID("other")).number == ItemNumber(1))
        #expect(try await store.allItems().map(\.number.value) == [2, 3, 1])
      },
      Rule("a change keeps an item's number") { store async throws in
        let added = try await store.add([.sample(1), .sample(2)])
        let item = added[1]
        let checked = try await store.update(item.completed(at: item.createdAt), .checked)
        #expect(checked.number == item.number)
        #expect(try await store.item(item.id, of: .local)?.number == item.number)
        let changes = try await store.changes(ChangeSelection(after: .initial, limit: 10), of: .local)
        #expect(
          changes.sets.flatMap(\.changes) == [.put(added[0], .added), .put(item, .added), .put(checked, .checked)])
      },
      Rule("the number of a deleted item is not reused") { store async throws in
        try await store.add([.sample(1), .sample(2)])
        try await store.delete(.sample(2))
        #expect(try await store.add(.sample(3)).number == ItemNumber(3))
        #expect(try await store.delete(.all) == 2)
        #expect(try await store.add(.sample(4)).number == ItemNumber(4))
      },
      Rule("a body that throws uses up no number") { store async throws in
        try await store.add(.sample(1))
        await #expect(throws: Refusal.self) {
          try await store.write(.local) { transaction in
            try transaction.add(.sample(2))
            throw Refusal()
          }
        }
        #expect(try await store.write(.local) { try $0.nextNumber } == ItemNumber(2))
      },
      Rule("a listing can select items by their numbers, combined with the other filters") { store async throws in
        try await store.add((1...5 as ClosedRange<UInt64>).map { .sample($0, completed: $0 == 4 ? 9 : nil) })
        func numbers(_ selection: ItemSelection) async throws -> [Int64] {
          try await store.items(selection, of: .local).items.map(\.number.value)
        }
        let some = Set([9, 5, 2, 4, -1, 0, .max].map { ItemNumber($0) })
        #expect(try await numbers(ItemSelection(numbers: some, limit: 10)) == [2, 5, 4])
        #expect(try await numbers(ItemSelection(numbers: some, order: .created, limit: 10)) == [2, 4, 5])
        #expect(try await numbers(ItemSelection(state: .done, numbers: some, limit: 10)) == [4])
        #expect(try await numbers(ItemSelection(text: TextFilter("ITEM 5"), numbers: some, limit: 10)) == [5])
        let page = try await store.items(ItemSelection(numbers: some, limit: 2), of: .local)
        #expect(page.hasMore && page.items.map(\.number.value) == [2, 5])
        let after = ItemPosition(of: page.items[1], in: .list)
        #expect(try await numbers(ItemSelection(numbers: some, after: after, limit: 2)) == [4])
        #expect(try await store.items(ItemSelection(numbers: some, limit: 2), of: OwnerID("other")).items == [])
      },
    ]
  }
}
