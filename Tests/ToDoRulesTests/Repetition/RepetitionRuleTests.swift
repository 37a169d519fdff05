import Synchronization
import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

@Suite(.unitTimeLimited) struct RepetitionRuleTests {
  private let item = NewItem(
    id: .sample(1),
    content: ItemContent(
      title: "Water", itemDescription: String(repeating: "d", count: 900),
      due: .date(CalendarDate(daysSinceEpoch: 20_000)),
      repetition: Repetition(.calendar(RecurrenceRule(.daily)))))

  @Test func checkItem_whenListIsFull_isRejectedAndChangesNothing() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), itemLimit: 1, clock: TestClock())
    let added = try await list.addItem(item)
    await #expect(throws: ToDoError.listFull(limit: 1)) { try await list.checkItem(item.id, ifRevision: nil) }
    #expect(try await list.items(ItemQuery()).items == [added])
  }

  @Test func checkItem_whenQuotaIsExhausted_isRejected() async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), byteLimit: 2_500, clock: TestClock())
    _ = try await list.addItem(item)
    await #expect(throws: ToDoError.quotaExceeded(limitBytes: 2_500)) {
      for _ in 0..<3 { _ = try await list.checkItem(item.id, ifRevision: nil) }
    }
  }

  @Test func uncheckItem_whenQuotaIsExhausted_bringsTheItemBack() async throws {
    let store = MemoryToDoItemStore()
    let added = try await LocalToDoService(store: store, clock: TestClock()).addItem(item)
    _ = try await LocalToDoService(store: store, clock: TestClock()).checkItem(item.id, ifRevision: nil)
    let full = LocalToDoService(store: store, byteLimit: 1_000, clock: TestClock())
    let done = try #require(try await full.items(ItemQuery(state: .done)).items.first)
    let unchecked = try await full.uncheckItem(done.id, ifRevision: nil)
    #expect((unchecked.id, unchecked.content) == (added.id, added.content))
    #expect(try await full.items(ItemQuery()).items == [unchecked])
  }

  /// A restored list has the item as it was before a check, and an import may bring the done item of that check.
  @Test(arguments: [false, true])
  func checkItem_whenItsDoneItemExists_movesOn(afterDeletion: Bool) async throws {
    let list = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())
    let added = try await list.addItem(item)
    var done = NewItem(id: list.occurrenceID(of: added.id, at: added.revision), content: item.content)
    (done.content.title, done.content.repetition) = ("Watered", nil)
    let imported = try await list.addItem(done)
    if afterDeletion { _ = try await list.deleteItem(imported.id, ifRevision: nil) }
    let checked = try await list.checkItem(added.id, ifRevision: added.revision)
    #expect(checked.due != added.due)
    #expect(try await list.items(ItemQuery()).items.map(\.id).contains(imported.id) == !afterDeletion)
    #expect(try await list.items(ItemQuery(state: .done)).items == [])
  }

  @Test func checkItem_ofItemThatRepeats_takesTheRateOfTwoItems() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = .init(perSecond: 1, burst: 3)
    let list = LocalToDoService(
      store: MemoryToDoItemStore(), writeRate: WriteRateLimiter(limits) { .zero }, clock: TestClock())
    _ = try await list.addItem(item)
    _ = try await list.checkItem(item.id, ifRevision: nil)
    await #expect(throws: ToDoError.self) { try await list.checkItem(item.id, ifRevision: nil) }
  }

  @Test func checkItem_whenZoneIsNoLongerKnown_isRejected() async throws {
    final class Zones: TimeZones {
      let isKnown = Mutex(true)
      func rules(of name: String) -> (any TimeZoneRules)? {
        isKnown.withLock(\.self) ? TimeZoneFiles().rules(of: "") : nil
      }
    }
    let zones = Zones()
    let list = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock()).using(zones)
    var item = item
    item.content.repetition?.timeZone = "Mars/Olympus"
    _ = try await list.addItem(item)
    zones.isKnown.withLock { $0 = false }
    await #expect(throws: ToDoError.self) { try await list.checkItem(item.id, ifRevision: nil) }
    var edit = ItemEdit()
    edit.title = "Water the plants"
    #expect(try await list.updateItem(item.id, edit, ifRevision: nil).title == edit.title)
  }

  /// Zones that count how often one is looked for.
  private final class CountingZones: TimeZones {
    let count = Mutex(0)

    func rules(of name: String) -> (any TimeZoneRules)? {
      count.withLock { $0 += 1 }
      return TimeZoneFiles().rules(of: "")
    }
  }

  @Test func checkItem_atAnotherRevision_searchesForNoOccurrence() async throws {
    let zones = CountingZones()
    let list = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock()).using(zones)
    _ = try await list.addItem(item)
    zones.count.withLock { $0 = 0 }
    await #expect(throws: ToDoError.self) { try await list.checkItem(item.id, ifRevision: Revision(9)) }
    #expect(zones.count.withLock(\.self) == 0)
  }

  @Test func addItem_aboveTheRate_looksForNoZone() async throws {
    var limits = WriteRateLimiter.Limits()
    limits.items = .init(perSecond: 1, burst: 1)
    let zones = CountingZones()
    let list = LocalToDoService(
      store: MemoryToDoItemStore(), writeRate: WriteRateLimiter(limits) { .zero }, clock: TestClock()
    ).using(zones)
    _ = try await list.addItem(item)
    zones.count.withLock { $0 = 0 }
    let second = NewItem(id: .sample(2), content: item.content)
    await #expect(throws: ToDoError.self) { try await list.addItem(second) }
    await #expect(throws: ToDoError.self) { try await list.addItems([second]) }
    #expect(zones.count.withLock(\.self) == 0)
  }

  @Test func occurrenceID_ofOtherItemRevisionOrList_differs() {
    let list = LocalToDoService(store: MemoryToDoItemStore())
    let id = list.occurrenceID(of: .sample(1), at: Revision(1))
    #expect(id == list.occurrenceID(of: .sample(1), at: Revision(1)))
    #expect(id != list.occurrenceID(of: .sample(2), at: Revision(1)))
    #expect(id != list.occurrenceID(of: .sample(1), at: Revision(2)))
    #expect(id != list.list(of: OwnerID("ann")).occurrenceID(of: .sample(1), at: Revision(1)))
    #expect(id.description.dropFirst(14).first == "8")
  }
}
