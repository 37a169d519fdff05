import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  package static let listingRules: [ContractRule<any ToDoItemStore>] =
    ItemOrder.allCases.flatMap { order in
      ItemState.allCases.map { state in
        Rule("\(state) items in the order \(order) are the same for every page size") { store async throws in
          let expected = try await addedAssortment(to: store).filter { state == .all || $0.isDone == (state == .done) }
            .sorted { ItemPosition(of: $0, in: order) < ItemPosition(of: $1, in: order) }
          for size in [1, 2, 3, 5, 7, 1000] {
            let pages = try await pages(of: store, ItemSelection(state: state, order: order, limit: size))
            #expect(pages.flatMap(\.self) == expected, "in pages of \(size)")
            #expect(pages.dropLast().allSatisfy { $0.count == size }, "in pages of \(size)")
          }
        }
      }
    } + [
      Rule("a listing reports more items only if an item is beyond its limit") { store async throws in
        try await store.add([.sample(1), .sample(2), .sample(3)])
        for (limit, hasMore) in [(1, true), (2, true), (3, false), (4, false), (Int.max, false)] {
          let listing = try await store.items(ItemSelection(limit: limit), of: .local)
          #expect(listing.items.count == min(limit, 3))
          #expect(listing.hasMore == hasMore, "with a limit of \(limit)")
        }
      },
      Rule("a listing ends before a done item that would exceed its limit of done items") { store async throws in
        let all = try await addedAssortment(to: store)
        for order in ItemOrder.allCases {
          let sorted = all.sorted { ItemPosition(of: $0, in: order) < ItemPosition(of: $1, in: order) }
          for limit in [1, 2, 1000] {
            let listing = try await store.items(
              ItemSelection(order: order, limit: 1000, doneLimit: limit), of: .local)
            let end = sorted.indices.filter { sorted[$0].isDone }.dropFirst(limit).first
            #expect(listing.items == Array(sorted[..<(end ?? sorted.endIndex)]), "\(order), \(limit)")
            #expect(listing.hasMore == (end != nil))
          }
        }
      },
      Rule("a position remains valid after its item is deleted or moved") { store async throws in
        let items = try await store.add((1...5).map { .sample($0) })
        let position = ItemPosition(of: items[1], in: .list)
        try await store.delete(items[1].id)
        let selection = ItemSelection(after: position, limit: 10)
        #expect(try await store.items(selection, of: .local).items == Array(items[2...]))
        let moved = try await store.update(items[2].completed(at: items[2].createdAt))
        #expect(try await store.items(selection, of: .local).items == [items[3], items[4], moved])
      },
      Rule("a listing after the last position is empty") { store async throws in
        let items = try await store.add([.sample(1), .sample(2, completed: 5)])
        for order in ItemOrder.allCases {
          let last = try #require(items.map { ItemPosition(of: $0, in: order) }.max())
          for state in ItemState.allCases {
            let selection = ItemSelection(state: state, order: order, after: last, limit: 10)
            #expect(try await store.items(selection, of: .local).items == [])
          }
        }
      },
      Rule("every position is accepted") { store async throws in
        try await store.add([.sample(1), .sample(2, completed: 5)])
        for section in [0, 1, 2, 255] as [UInt8] {
          for number in [Int64.min, -1, 0, .max] {
            let position = ItemPosition(
              section: section, primary: number, secondary: number, tieBreak: ItemID(high: .max, low: .max))
            for order in ItemOrder.allCases {
              let selection = ItemSelection(order: order, after: position, limit: 10)
              let expected = try await store.allItems().map { ItemPosition(of: $0, in: order) }.filter { $0 > position }
              let found = try await store.items(selection, of: .local).items
              #expect(found.map { ItemPosition(of: $0, in: order) } == expected.sorted(), "\(order) after \(position)")
            }
          }
        }
      },
      Rule("a text filter searches title, description, place name and address, ignoring case") { store async throws in
        try await store.add([
          searchable(1) { $0.title = "Buy MILK now" },
          searchable(2) { $0.itemDescription = "no milk today" },
          searchable(3) { $0.location = Location(name: "Milk bar") },
          searchable(4) { $0.location = Location(address: "12 Milkwood Lane") },
          searchable(5) { $0.location = Location(name: "Mil", address: "k") },
          searchable(6) { $0.title = "50% of a_b" },
        ])
        let found = try await store.items(ItemSelection(text: TextFilter("mILK"), limit: 10), of: .local)
        #expect(found.items.map(\.id) == [1, 2, 3, 4].map(ItemID.sample))
        #expect(!found.hasMore)
        let literal = try await store.items(ItemSelection(text: TextFilter("0% OF A_"), limit: 10), of: .local)
        #expect(literal.items.map(\.id) == [.sample(6)])
        #expect(try await store.items(ItemSelection(text: TextFilter("%"), limit: 10), of: .local).items.count == 1)
      },
      Rule("a text filter finds words in any order, ignoring accents") { store async throws in
        try await store.add([
          searchable(1) { $0.title = "Buy milk at the café" },
          searchable(2) { ($0.title, $0.itemDescription) = ("Milk", "buy two") },
          searchable(3) { ($0.title, $0.location) = ("Buy bread", Location(name: "Milk bar")) },
          searchable(4) { $0.title = "Buy mil k" },
          searchable(5) {
            ($0.title, $0.location) = ("Lunch", Location(name: "Cafe\u{301} Łódź", address: "Straße 1"))
          },
        ])
        func found(_ text: String, place: String = "") async throws -> [ItemID] {
          let selection = ItemSelection(text: TextFilter(text), place: TextFilter(place), limit: 10)
          return try await store.items(selection, of: .local).items.map(\.id)
        }
        #expect(try await found("MILK buy") == [1, 2, 3].map(ItemID.sample))
        #expect(try await found(" buy\tmilk two ") == [.sample(2)])
        #expect(try await found("cafe") == [1, 5].map(ItemID.sample))
        #expect(try await found("1 strasse LODZ lunch") == [.sample(5)])
        #expect(try await found(" ").count == 5)
        #expect(try await found("", place: "lodz cafe") == [.sample(5)])
        #expect(try await found("lunch", place: "bar milk") == [])
        #expect(try await found("", place: "bar milk") == [.sample(3)])
      },
      Rule("a text filter can be combined with pages") { store async throws in
        try await store.add((0..<30).map { .sample($0, title: $0 % 3 == 0 ? "Übung \($0)" : "Other \($0)") })
        for order in ItemOrder.allCases {
          let whole = ItemSelection(text: TextFilter("ÜBUNG"), order: order, limit: 100)
          let expected = try await store.items(whole, of: .local).items
          #expect(expected.count == 10)
          for size in [1, 3, 5, 10] {
            var selection = whole
            selection.limit = size
            #expect(try await pages(of: store, selection).flatMap(\.self) == expected)
          }
        }
      },
    ]

  /// Returns all pages, and checks that each is read at the list's revision.
  private static func pages(of store: any ToDoItemStore, _ selection: ItemSelection) async throws -> [[ToDoItem]] {
    var selection = selection
    var pages: [[ToDoItem]] = []
    let revision = try await store.revision()
    while true {
      let listing = try await store.items(selection, of: .local)
      #expect(listing.revision == revision)
      pages.append(listing.items)
      try #require(pages.count < 1000, "the listing does not end")
      guard listing.hasMore else { return pages }
      selection.after = ItemPosition(of: try #require(listing.items.last), in: selection.order)
    }
  }

  private static func searchable(_ number: UInt64, _ edit: (inout ItemContent) -> Void) -> ToDoItem {
    var item = ToDoItem.sample(number, title: "x")
    edit(&item.content)
    return item
  }

  /// Stores incomplete and done items whose times, due dates and revisions often tie, in an order that differs from
  /// every listing.
  private static func addedAssortment(to store: any ToDoItemStore) async throws -> [ToDoItem] {
    let noon = Timestamp(microseconds: 1_777_636_800_000_000)
    let day = try #require(CalendarDate(year: 2026, month: 5, day: 1))
    let earlier = try #require(CalendarDate(year: 1, month: 1, day: 1))
    let last = DueDate.date(day).order
    let dues: [DueDate?] = [
      nil, .time(noon), .date(day), .time(Timestamp(microseconds: -5)), .date(earlier), .time(last),
      .time(Timestamp.supportedRange.upperBound),
    ]
    var items: [ToDoItem] = []
    for number in 0..<42 as Range<UInt64> {
      // 5 and 42 are coprime, so this visits every number, in mixed order.
      let shuffled = (number * 5 + 3) % 42
      let due = dues[Int(shuffled) % dues.count]
      items.append(
        .sample(
          shuffled, due: due, created: Int64(shuffled % 4) - 2,
          completed: shuffled % 3 == 0 ? Int64(shuffled % 5) : nil))
    }
    var added: [ToDoItem] = []
    for start in stride(from: 0, to: items.count, by: 4) {
      added += try await store.add(Array(items[start..<min(start + 4, items.count)]))
    }
    return added
  }
}
