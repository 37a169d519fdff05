import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoClient
@testable import ToDoScreens

/// Compares the two lists that stay current: that of the library's `ToDoListModel`, and that of the screens. The former
/// publishes sorted lists to an application; the latter reports each changed item to screens that keep many orders.
@Suite struct LiveListAgreementTests {
  /// The events of a watch: snapshots, changes and progress, with restarts within a snapshot and at any later time.
  private struct Events {
    private var random: SeededGenerator
    private var items: [ItemID: ToDoItem] = [:]
    private var revision: Int64 = 1
    private var lastNumber: UInt64 = 0

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
    }

    /// Returns the events of one step. After them, no snapshot is incomplete.
    mutating func next() -> [WatchEvent] {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: return snapshot(isCutOff: Bool.random(using: &random))
      case 1:
        revision += 1
        return [.progress(Revision(revision))]
      default: return [changes()]
      }
    }

    mutating func snapshot(isCutOff: Bool = false) -> [WatchEvent] {
      let all = items.values.sorted { $0.id < $1.id }
      let pages = stride(from: 0, to: all.count, by: 3).map {
        WatchEvent.snapshotPage(Array(all[$0..<min($0 + 3, all.count)]))
      }
      // A change during the snapshot is a later version of an item that an earlier page contains.
      let again = all.first.map { [WatchEvent.snapshotPage([$0])] } ?? []
      let start = isCutOff ? [.restarted] + pages.dropLast() : []
      return start + [.restarted] + pages + again + [.snapshotEnd(Revision(revision))]
    }

    private mutating func changes() -> WatchEvent {
      revision += 1
      let changes = (0..<Int.random(in: 1...4, using: &random)).map { _ in change() }
      return .changes(ChangeSet(revision: Revision(revision), changes: changes))
    }

    private mutating func change() -> ItemChange {
      if let id = items.keys.sorted().randomElement(using: &random), Int.random(in: 0..<3, using: &random) == 0 {
        let wasDone = items.removeValue(forKey: id)?.isDone ?? false
        return .deleted(
          ItemDeletion(id: id, wasDone: wasDone, revision: Revision(revision), deletedAt: TestBench.start))
      }
      let isNew = items.isEmpty || Bool.random(using: &random)
      if isNew { lastNumber += 1 }
      let number = isNew ? lastNumber : UInt64.random(in: 1...lastNumber, using: &random)
      let item = ToDoItem(
        id: TestBench.id(number), number: ItemNumber(Int64(number)),
        content: ItemContent(title: "item \(number)", due: due()), createdAt: TestBench.start,
        updatedAt: TestBench.start,
        completedAt: Bool.random(using: &random) ? TestBench.start : nil, revision: Revision(revision))
      items[item.id] = item
      return .put(item, isNew ? .added : .edited)
    }

    private mutating func due() -> DueDate? {
      let day = Int.random(in: 0..<4, using: &random)
      return day == 0 ? nil : .date(CalendarDate(daysSinceEpoch: 20_000 + day))
    }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>) func lists_afterSameEvents_areEqual(seed: UInt64) throws {
    var (events, model, screens) = (Events(seed: seed), ToDoListState(), ListContent())
    for step in 0..<100 {
      for event in step == 0 ? events.snapshot() : events.next() {
        model.apply(event)
        _ = screens.apply(event)
      }
      let list = try #require(model.list)
      let items = screens.all.sorted { ItemPosition(of: $0, in: .list) < ItemPosition(of: $1, in: .list) }
      #expect(list.toDo + list.done == items, "step \(step)")
      #expect(list.revision == screens.revision)
      #expect(list.done.count == screens.doneCount)
    }
  }
}
