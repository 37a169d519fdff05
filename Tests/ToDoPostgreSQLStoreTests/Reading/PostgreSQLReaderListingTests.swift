#if PostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

@Suite(.timeLimited, .blocking) struct PostgreSQLReaderListingTests {
  private let other = OwnerID("other")

  /// Incomplete, done and deleted items whose times and due dates often tie, and rows that no listing contains.
  private func fill(_ database: ReadingDatabase, count: UInt64 = 60) throws -> [ToDoItem] {
    let noon = Timestamp.sample(43_200_000_000)
    let dues: [DueDate?] = [nil, .time(noon), .date(CalendarDate(daysSinceEpoch: 20_454)), .time(.sample(-5))]
    let items = (0..<count).map { number in
      var item = ToDoItem.sample(
        number, title: number % 3 == 0 ? "Übung \(number)" : "Other \(number)", due: dues[Int(number) % dues.count],
        created: Int64(number % 5), completed: number % 7 == 0 ? Int64(number % 2) : nil)
      item.number = ItemNumber(Int64(number) + 1)
      item.revision = Revision(Int64(number / 4) + 1)
      if number % 6 == 0 {
        item.deletion = ToDoItem.Deletion(deletedAt: .sample(1), expiresAt: .sample(number % 12 == 0 ? 100 : 10))
      }
      if number % 9 == 0 { item.content.location = Location(name: "Market \(number)") }
      return item
    }
    for item in items { try database.write(item) }
    try database.write(.sample(1), of: other)
    try database.reserve(.sample(9_999))
    try database.setRevision(77)
    return items
  }

  @Test func listing_ofAnySelection_isThatOfAllItems() throws {
    let database = try ReadingDatabase()
    let (items, reader) = (try fill(database), try database.reader())
    let day = DueRange(start: .sample(0), end: .sample(86_400_000_000))
    for order in ItemOrder.allCases {
      for state in ItemState.allCases {
        for deleted in [DeletedItems.excluded, .included, .only] {
          for text in ["", "ÜBUNG", "2 ubung", "nothing"] {
            for (due, place) in [(nil, ""), (DueFilter.unset, ""), (.within(day), ""), (nil, "market")] {
              for limit in [1, 3, 60, Int.max] {
                let selection = ItemSelection(
                  state: state, text: TextFilter(text), due: due, place: TextFilter(place), deleted: deleted,
                  now: .sample(50), order: order, limit: limit)
                let expected = ItemListing(selection, of: items, at: Revision(77))
                #expect(try reader.listing(selection, of: .local) == expected)
              }
            }
          }
        }
      }
    }
  }

  @Test func listing_inPages_containsEachItemOnce() throws {
    let database = try ReadingDatabase()
    let (items, reader) = (try fill(database), try database.reader())
    for order in ItemOrder.allCases {
      for (limit, sizeLimit) in [(1, Int.max), (7, .max), (100, 50)] {
        var selection = ItemSelection(
          deleted: .included, now: .sample(50), order: order, limit: limit, sizeLimit: sizeLimit)
        var found: [ToDoItem] = []
        while true {
          let listing = try reader.listing(selection, of: .local)
          #expect(listing == ItemListing(selection, of: items, at: Revision(77)))
          found += listing.items
          guard listing.hasMore, let last = listing.items.last else { break }
          selection.after = ItemPosition(of: last, in: order)
        }
        #expect(found.count == items.count { ($0.deletion?.expiresAt ?? .max) > .sample(50) })
      }
    }
  }

  @Test func listing_afterAnyPosition_isThatOfAllItems() throws {
    let database = try ReadingDatabase()
    let (items, reader) = (try fill(database), try database.reader())
    for section in [0, 1, 2, 255] as [UInt8] {
      for number in [Int64.min, -1, 0, 1, .max] {
        for tieBreak in [ItemID.first, .last] {
          let position = ItemPosition(section: section, primary: number, secondary: number, tieBreak: tieBreak)
          for order in ItemOrder.allCases {
            let selection = ItemSelection(
              deleted: .included, now: .sample(50), order: order, after: position, limit: 100)
            #expect(
              try reader.listing(selection, of: .local) == ItemListing(selection, of: items, at: Revision(77)),
              "\(order) after \(position)")
          }
        }
      }
    }
  }

  @Test func listing_ofLongList_isReadInSeveralChunks() throws {
    let database = try ReadingDatabase()
    let items = try fill(database, count: 1_500)
    let reader = try database.reader()
    for selection in [
      ItemSelection(deleted: .included, now: .sample(50), limit: .max),
      ItemSelection(text: TextFilter("other 1499"), limit: 1), ItemSelection(order: .created, limit: 600),
    ] {
      #expect(try reader.listing(selection, of: .local) == ItemListing(selection, of: items, at: Revision(77)))
    }
  }

  @Test func listing_ofNumbers_containsTheItemsWithThem() throws {
    let database = try ReadingDatabase()
    let (items, reader) = (try fill(database), try database.reader())
    for deleted in [DeletedItems.excluded, .included, .only] {
      let selection = ItemSelection(
        numbers: Set([1, 2, 7, 13, 59, -1, .max].map { ItemNumber($0) }), deleted: deleted, now: .sample(50), limit: 3
      )
      #expect(try reader.listing(selection, of: .local) == ItemListing(selection, of: items, at: Revision(77)))
    }
  }

  @Test func listing_ofListWithoutChanges_isEmpty() throws {
    let reader = try ReadingDatabase().reader()
    let empty = ItemListing(items: [], hasMore: false, revision: .initial)
    for selection in [
      ItemSelection(limit: 10), ItemSelection(numbers: [ItemNumber(1)], limit: 1),
      ItemSelection(order: .created, limit: 1),
    ] {
      #expect(try reader.listing(selection, of: .local) == empty)
    }
    #expect(try reader.revision(of: .local) == .initial)
    #expect(reader.isUsable)
  }

  @Test func listing_whenTaskIsCancelled_throwsAndKeepsTheConnection() async throws {
    let database = try ReadingDatabase()
    _ = try fill(database, count: 600)
    let settings = database.settings
    let task = Task { () throws -> Bool in
      withUnsafeCurrentTask { $0?.cancel() }
      let reader = try PostgreSQLReader(settings)
      do { _ = try reader.listing(ItemSelection(limit: .max), of: .local) } catch is CancellationError {
        return reader.isUsable
      }
      return false
    }
    #expect(try await task.value)
  }
}
#endif
