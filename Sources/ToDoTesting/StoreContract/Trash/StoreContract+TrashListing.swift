import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  package static var trashListingRules: [ContractRule<any ToDoItemStore>] {
    [
      Rule("deleted items follow all others in every order, the latest deletion first") { store async throws in
        try await store.add((1...6 as ClosedRange<UInt64>).map { .sample($0, completed: $0 % 2 == 0 ? 9 : nil) })
        for number in [3, 6] as [UInt64] { try await store.delete(.sample(number), until: expiry) }
        _ = try await store.delete(.done, until: expiry)
        for order in ItemOrder.allCases {
          let whole = ItemSelection(deleted: .included, now: .sample(50), order: order, limit: 100)
          let items = try await store.items(whole, of: .local).items
          #expect(items.map(\.number.value) == (order == .updated ? [5, 1] : [1, 5]) + [4, 2, 6, 3])
          #expect(items == items.sorted { ItemPosition(of: $0, in: order) < ItemPosition(of: $1, in: order) })
          for deleted in [DeletedItems.included, .only] {
            let expected = deleted == .only ? Array(items.suffix(4)) : items
            for size in [1, 2, 3, 4, 5, 6, 7] {
              let selection = ItemSelection(deleted: deleted, now: .sample(50), order: order, limit: size)
              #expect(try await store.allPages(selection) == expected, "\(deleted) in pages of \(size)")
            }
          }
        }
      },
      Rule("the state, the text and the numbers of a selection filter deleted items") { store async throws in
        let titles = ["Milk", "Oat milk", "Bread", "Tea", "Milk tea"]
        try await store.add(
          titles.enumerated().map { .sample(UInt64($0), title: $1, completed: $0 % 2 == 0 ? 9 : nil) })
        for number in [4, 2, 1] as [UInt64] { try await store.delete(.sample(number), until: expiry) }
        func numbers(_ selection: ItemSelection) async throws -> [Int64] {
          try await store.items(selection, of: .local).items.map(\.number.value)
        }
        let now = Timestamp.sample(50)
        let some = Set([5, 4, 2].map { ItemNumber($0) })
        let milk = TextFilter("MILK")
        #expect(try await numbers(ItemSelection(state: .done, deleted: .only, now: now, limit: 9)) == [3, 5])
        #expect(try await numbers(ItemSelection(state: .toDo, deleted: .included, now: now, limit: 9)) == [4, 2])
        #expect(try await numbers(ItemSelection(text: milk, deleted: .only, now: now, limit: 9)) == [2, 5])
        #expect(try await numbers(ItemSelection(text: milk, deleted: .included, now: now, limit: 9)) == [1, 2, 5])
        #expect(try await numbers(ItemSelection(text: milk, now: now, limit: 9)) == [1])
        #expect(try await numbers(ItemSelection(numbers: some, deleted: .only, now: now, limit: 9)) == [2, 5])
        #expect(try await numbers(ItemSelection(numbers: some, deleted: .included, now: now, limit: 9)) == [4, 2, 5])
        #expect(try await numbers(ItemSelection(numbers: some, now: now, limit: 9)) == [4])
      },
      Rule("an expired item is not listed") { store async throws in
        try await store.add([.sample(1), .sample(2), .sample(3)])
        try await store.delete(.sample(1), until: .sample(300))
        try await store.delete(.sample(2), until: .sample(200))
        for (now, expected) in [(199, [2, 1]), (200, [1]), (299, [1]), (300, [])] as [(Int64, [Int64])] {
          for limit in [1, 2, 9] {
            let selection = ItemSelection(deleted: .only, now: .sample(now), limit: limit)
            #expect(try await store.allPages(selection).map(\.number.value) == expected)
          }
          let all = ItemSelection(deleted: .included, now: .sample(now), limit: 9)
          #expect(try await store.allPages(all).map(\.number.value) == [3] + expected)
          let numbers = Set([1, 2].map { ItemNumber($0) })
          let filtered = [
            ItemSelection(numbers: numbers, deleted: .only, now: .sample(now), limit: 9),
            ItemSelection(text: TextFilter("item"), deleted: .only, now: .sample(now), limit: 9),
            ItemSelection(state: .toDo, deleted: .only, now: .sample(now), limit: 9),
          ]
          for selection in filtered {
            #expect(try await store.allPages(selection).map(\.number.value) == expected)
          }
        }
      },
      Rule("a position of a deleted item remains valid after the item is restored") { store async throws in
        try await store.add([.sample(1), .sample(2), .sample(3)])
        for number in [1, 2, 3] as [UInt64] { try await store.delete(.sample(number), until: expiry) }
        let deleted = try await store.deletedItems()
        try await store.restore(.sample(2))
        let position = ItemPosition(of: deleted[1], in: .list)
        let selection = ItemSelection(deleted: .only, now: .sample(50), after: position, limit: 9)
        #expect(try await store.items(selection, of: .local).items == [deleted[2]])
      },
      Rule("deleted items are removed in the order in which they expire, which is no change") { store async throws in
        try await store.add((1...4 as ClosedRange<UInt64>).map { .sample($0) })
        for (number, time) in [(1, 300), (2, 100), (3, 200)] as [(UInt64, Int64)] {
          try await store.delete(.sample(number), until: .sample(time))
        }
        #expect(try await store.removeDeletedItems(limit: 2) == 2)
        #expect(try await store.deletedItems().map(\.id) == [.sample(1)])
        for number in [2, 3] as [UInt64] {
          #expect(try await store.deletedItem(.sample(number)) == nil)
          #expect(try await store.record(of: .sample(number)) == .deleted)
        }
        #expect(try await store.restore(.sample(1)).number == ItemNumber(1))
        #expect(try await store.removeDeletedItems(limit: 2) == 0)
        #expect(try await store.revision() == Revision(5))
        #expect(try await store.feed().count == 5)
        #expect(try await store.allItems().map(\.number.value) == [1, 4])
      },
      Rule("later writes remove the items that have expired") { store async throws in
        try await store.add([.sample(1), .sample(2), .sample(3)])
        try await store.delete(.sample(1), until: .sample(10_000))
        try await store.delete(.sample(2), until: .sample(30_000))
        try await store.change(.sample(3), times: 128, at: .sample(9_999))
        #expect(try await store.deletedItem(.sample(1)) != nil)
        try await store.change(.sample(3), times: 128, at: .sample(20_000))
        #expect(try await store.deletedItem(.sample(1)) == nil)
        #expect(try await store.record(of: .sample(1)) == .deleted)
        #expect(try await store.deletedItem(.sample(2)) != nil)
        #expect(try await store.revision() == Revision(259))
      },
    ]
  }
}

extension ToDoItemStore {
  /// The items on all pages of a listing.
  fileprivate func allPages(_ selection: ItemSelection) async throws -> [ToDoItem] {
    var selection = selection
    var items: [ToDoItem] = []
    while true {
      let listing = try await self.items(selection, of: .local)
      #expect(listing.items.count <= selection.limit)
      items += listing.items
      try #require(items.count < 1000, "the listing does not end")
      guard listing.hasMore else { return items }
      selection.after = ItemPosition(of: try #require(listing.items.last), in: selection.order)
    }
  }

  /// Changes an item in a number of writes.
  fileprivate func change(_ id: ItemID, times count: Int, at time: Timestamp) async throws {
    for number in 0..<count {
      try await write(.local) { transaction in
        var item = ToDoItem.sample(id.low, title: "Title \(number)")
        item.updatedAt = time
        try transaction.replace(item)
      }
    }
  }
}
