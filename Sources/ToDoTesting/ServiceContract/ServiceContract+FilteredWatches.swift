import Testing
import ToDoModel

extension ServiceContract {
  private static let high = ItemFilter(priorities: [.high])

  /// Adds an item with a priority.
  private static func add(_ title: String, _ priority: Priority?, to subject: Subject) async throws -> ToDoItem {
    try await subject.add(ItemContent(title: title, priority: priority))
  }

  /// Changes an item's priority.
  private static func change(
    _ item: ToDoItem, to priority: Priority?, in subject: Subject
  ) async throws -> ToDoItem {
    var edit = ItemEdit()
    edit.priority = priority.map { .set($0) } ?? .clear
    return try await subject.service.updateItem(item.id, edit, ifRevision: nil)
  }

  /// The change after which an item does not pass the filter.
  private static func filteredOut(_ item: ToDoItem) -> ItemChange {
    .deleted(
      ItemDeletion(
        id: item.id, wasDone: item.isDone, revision: item.revision, deletedAt: item.updatedAt, isFilteredOut: true))
  }

  /// The rules for watches with a filter.
  static var filteredWatches: [Rule] { filteredChanges + filteredSnapshots }

  private static var filteredChanges: [Rule] {
    [
      Rule("a watch with a filter emits items that pass it, and which changed items do not") { subject async throws in
        let watch = Subscription(subject.service.watch(from: .after(.initial), state: .all, filter: high))
        #expect(try await watch.next() == .progress(.initial))
        let item = try await add("Milk", .high, to: subject)
        // It was never told, so its addition need not be.
        let other = try await add("Bread", nil, to: subject)
        let lowered = try await change(item, to: .low, in: subject)
        let raised = try await change(item, to: .high, in: subject)
        let changed = try await change(other, to: .low, in: subject)
        let deletion = try await subject.service.deleteItem(item.id, ifRevision: nil)
        #expect(try await watch.next() == .changes(.put(item, .added)))
        #expect(try await watch.next() == .changes(filteredOut(lowered)))
        #expect(try await watch.next() == .changes(.put(raised, .edited)))
        // The state before the change is not examined.
        #expect(try await watch.next() == .changes(filteredOut(changed)))
        guard case .changes(let set) = try await watch.next(), case .deleted(let told) = set.changes.first else {
          Issue.record("the deletion is not told")
          return
        }
        #expect((told.id, told.revision, told.isFilteredOut) == (item.id, deletion, false))
      },
      Rule("watches with different filters receive changes each by its own") { subject async throws in
        let filters = [ItemFilter(), high, ItemFilter(text: "bread")]
        let watches = filters.map {
          Subscription(subject.service.watch(from: .after(.initial), state: .all, filter: $0))
        }
        for watch in watches { #expect(try await watch.next() == .progress(.initial)) }
        let item = try await add("Milk", .high, to: subject)
        let lowered = try await change(item, to: .low, in: subject)
        for watch in watches[0...1] { #expect(try await watch.next() == .changes(.put(item, .added))) }
        #expect(try await watches[0].next() == .changes(.put(lowered, .edited)))
        for watch in watches[1...2] { #expect(try await watch.next() == .changes(filteredOut(lowered))) }
      },
      Rule("a watch with a filter resumes after any revision as it would have gone on") { subject async throws in
        let item = try await add("Milk", .high, to: subject)
        let lowered = try await change(item, to: nil, in: subject)
        let other = try await add("Bread", .high, to: subject)
        _ = try await add("Tea", nil, to: subject)
        let expected: [WatchEvent] = [
          .changes(.put(item, .added)), .changes(filteredOut(lowered)), .changes(.put(other, .added)),
          .progress(Revision(4)),
        ]
        for start in 0...4 as ClosedRange<Int64> {
          let watch = Subscription(subject.service.watch(from: .after(Revision(start)), state: .all, filter: high))
          for event in expected[min(Int(start), 3)...] { #expect(try await watch.next() == event, "after \(start)") }
        }
      },
      Rule("the changes of one revision are filtered each by itself") { subject async throws in
        let watch = Subscription(subject.service.watch(from: .after(.initial), state: .all, filter: high))
        #expect(try await watch.next() == .progress(.initial))
        let contents = [("a", Priority.high), ("b", .low), ("c", .high)].map { ItemContent(title: $0, priority: $1) }
        let items = try await subject.service.addItems(contents.map { NewItem(id: ItemID(), content: $0) })
        let passing = items.filter { $0.priority == .high }.sorted { $0.id < $1.id }
        let set = ChangeSet(revision: items[0].revision, changes: passing.map { .put($0, .added) })
        #expect(try await watch.next() == .changes(set))
      },
      Rule("a state and a filter apply together") { subject async throws in
        let watch = Subscription(subject.service.watch(from: .after(.initial), state: .done, filter: high))
        #expect(try await watch.next() == .progress(.initial))
        let item = try await add("Milk", .high, to: subject)
        let other = try await add("Bread", nil, to: subject)
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let otherChecked = try await subject.service.checkItem(other.id, ifRevision: nil)
        #expect(try await watch.next() == .changes(.put(checked, .checked)))
        #expect(try await watch.next() == .changes(filteredOut(otherChecked)))
      },
    ]
  }

  private static var filteredSnapshots: [Rule] {
    [
      Rule("a snapshot with a filter has only items that pass it") { subject async throws in
        let items = [
          try await add("Milk", .high, to: subject), try await add("Bread", nil, to: subject),
          try await add("Oat milk", nil, to: subject),
        ]
        let filters: [(ItemFilter, [Int])] = [
          (high, [0]), (ItemFilter(text: "MILK"), [0, 2]),
          (ItemFilter(alternatives: [high, ItemFilter(text: "oat")]), [0, 2]),
          (ItemFilter(exclusions: [ItemFilter(text: "milk")]), [1]), (ItemFilter(due: .unset), [0, 1, 2]),
          (ItemFilter(place: "shop"), []),
        ]
        for (filter, passing) in filters {
          let watch = Subscription(subject.service.watch(from: .snapshot, state: .all, filter: filter))
          if !passing.isEmpty { #expect(try await watch.next() == .snapshotPage(passing.map { items[$0] })) }
          #expect(try await watch.next() == .snapshotEnd(Revision(3)))
        }
      },
      Rule("a snapshot of several pages has every item that passes its filter") { subject async throws in
        var expected: Set<String> = []
        for number in 0..<30 {
          let contents = (0..<10).map { ItemContent(title: "\(number) \($0)", priority: $0 == 0 ? .high : nil) }
          _ = try await subject.service.addItems(contents.map { NewItem(id: ItemID(), content: $0) })
          expected.insert("\(number) 0")
        }
        let watch = Subscription(subject.service.watch(from: .snapshot, state: .all, filter: high))
        var titles: [String] = []
        while case .snapshotPage(let items)? = try await watch.next() { titles += items.map(\.title) }
        #expect(titles.count == 30 && Set(titles) == expected)
      },
      Rule("a watch with an invalid filter is rejected as a listing is") { subject async throws in
        let filter = ItemFilter(
          place: String(repeating: "p", count: 1025), tags: TagFilter(any: ["a b"]), alternatives: [ItemFilter()])
        await expectViolations(of: ["filter.place", "filter.tags.any[0]", "filter.any_of[0]"]) {
          let watch = Subscription(subject.service.watch(from: .snapshot, state: .all, filter: filter))
          return try await watch.next()
        }
      },
    ]
  }
}

extension WatchEvent {
  /// The only change of its revision.
  fileprivate static func changes(_ change: ItemChange) -> WatchEvent {
    .changes(ChangeSet(revision: change.revision, changes: [change]))
  }
}
