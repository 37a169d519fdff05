import Testing
public import ToDoModel

/// The contract of `ListWatchService`, one rule a sentence. Each rule needs the lists of a new user, who can have 101 lists.
public enum ListWatchContract {
  /// The lists of a user, and the watches of their items.
  public typealias Service = any ToDoListService & ListWatchService

  private typealias Rule = ContractRule<Service>

  /// All rules of the contract.
  public static let rules: [ContractRule<Service>] = positions + ends + refusals

  private static var positions: [Rule] {
    [
      Rule("each event names its list, and the lists begin in their order") { service async throws in
        let work = try await service.createList(NewList(name: "Work")).id
        let (milk, report) = (try await service.add("Milk"), try await service.add("Report", to: work))
        let watch = Subscription(
          service.watchItems(
            in: [WatchedList(work, from: .snapshot), WatchedList(.default, from: .snapshot)], state: .all))
        #expect(try await watch.next() == ListWatchEvent(work, .event(.snapshotPage([report]))))
        #expect(try await watch.next() == ListWatchEvent(work, .event(.snapshotEnd(report.revision))))
        #expect(try await watch.next() == ListWatchEvent(.default, .event(.snapshotPage([milk]))))
        #expect(try await watch.next() == ListWatchEvent(.default, .event(.snapshotEnd(milk.revision))))
        for list in [work, .default, work] {
          let item = try await service.add("More", to: list)
          #expect(try await watch.nextChanges() == ListWatchEvent(list, .event(.changes(.put(item)))))
        }
      },
      Rule("each list starts at a position of its own") { service async throws in
        let lists = [try await service.createList(NewList(name: "Work")).id, .default]
        let first = try await service.add("First", to: lists[0])
        let second = try await service.add("Second", to: lists[0])
        _ = try await service.add("Before")
        let watch = Subscription(
          service.watchItems(
            in: [WatchedList(lists[0], from: .after(first.revision)), WatchedList(.default, from: .now)], state: .all))
        #expect(try await watch.nextChanges() == ListWatchEvent(lists[0], .event(.changes(.put(second)))))
        #expect(try await watch.next() == ListWatchEvent(lists[0], .event(.progress(second.revision))))
        #expect(try await watch.next() == ListWatchEvent(.default, .event(.progress(Revision(1)))))
        let item = try await service.add("After")
        #expect(try await watch.nextChanges() == ListWatchEvent(.default, .event(.changes(.put(item)))))
      },
      Rule("the state is that of the items of all lists") { service async throws in
        let work = try await service.createList(NewList(name: "Work")).id
        for list in [ListID.default, work] {
          let done = try await service.add("Done", to: list)
          _ = try await service.items(in: list).checkItem(done.id, ifRevision: nil)
          _ = try await service.add("To do", to: list)
        }
        let watch = Subscription(
          service.watchItems(
            in: [WatchedList(.default, from: .snapshot), WatchedList(work, from: .snapshot)], state: .done))
        for list in [ListID.default, work] {
          guard case .event(.snapshotPage(let items)) = try await watch.next()?.content else {
            Issue.record("no items")
            return
          }
          #expect(items.map(\.title) == ["Done"])
          #expect(try await watch.next() == ListWatchEvent(list, .event(.snapshotEnd(Revision(3)))))
        }
      },
      Rule("the filter is that of the items of all lists") { service async throws in
        let work = try await service.createList(NewList(name: "Work")).id
        for list in [ListID.default, work] {
          for title in ["Oat milk", "Bread"] { _ = try await service.add(title, to: list) }
        }
        let watch = Subscription(
          service.watchItems(
            in: [WatchedList(.default, from: .snapshot), WatchedList(work, from: .snapshot)], state: .all,
            filter: ItemFilter(text: "milk")))
        for list in [ListID.default, work] {
          guard case .event(.snapshotPage(let items)) = try await watch.next()?.content else {
            Issue.record("no items")
            return
          }
          #expect(items.map(\.title) == ["Oat milk"])
          #expect(try await watch.next() == ListWatchEvent(list, .event(.snapshotEnd(Revision(2)))))
        }
        _ = try await service.add("Tea", to: work)
        let item = try await service.add("Milk", to: work)
        #expect(try await watch.nextChanges() == ListWatchEvent(work, .event(.changes(.put(item)))))
      },
      Rule("a watch of one list names it, too") { service async throws in
        let work = try await service.createList(NewList(name: "Work")).id
        let watch = Subscription(service.watchItems(in: [WatchedList(work, from: .snapshot)], state: .all))
        #expect(try await watch.next() == ListWatchEvent(work, .event(.snapshotEnd(.initial))))
        _ = try await service.deleteList(work)
        #expect(try await watch.next() == ListWatchEvent(work, .ended(.listNotFound(work))))
        #expect(try await watch.next() == nil)
      },
    ]
  }

  private static var ends: [Rule] {
    [
      Rule("the watch of a list that is deleted ends, and the others go on") { service async throws in
        let work = try await service.createList(NewList(name: "Work")).id
        let watch = Subscription(
          service.watchItems(in: [WatchedList(.default, from: .now), WatchedList(work, from: .now)], state: .all))
        for _ in 0..<2 { _ = try await watch.next() }
        _ = try await service.deleteList(work)
        #expect(try await watch.next() == ListWatchEvent(work, .ended(.listNotFound(work))))
        let item = try await service.add("Milk")
        #expect(try await watch.nextChanges() == ListWatchEvent(.default, .event(.changes(.put(item)))))
      },
      Rule("the watch of a list that does not exist, or has no such revision, ends, and the others go on") {
        service async throws in
        let (unknown, work) = (ListID(), try await service.createList(NewList(name: "Work")).id)
        let watch = Subscription(
          service.watchItems(
            in: [
              WatchedList(unknown, from: .now), WatchedList(work, from: .after(Revision(9))),
              WatchedList(.default, from: .now),
            ], state: .all))
        var events: [ListWatchEvent?] = []
        for _ in 0..<3 { events.append(try await watch.next()) }
        #expect(events.contains(ListWatchEvent(unknown, .ended(.listNotFound(unknown)))))
        #expect(events.contains(ListWatchEvent(work, .ended(.revisionInFuture(current: .initial)))))
        #expect(events.contains(ListWatchEvent(.default, .event(.progress(.initial)))))
        let item = try await service.add("Milk")
        #expect(try await watch.nextChanges() == ListWatchEvent(.default, .event(.changes(.put(item)))))
      },
      Rule("after the last list, the watch ends") { service async throws in
        let lists = [ListID(), ListID()]
        let watch = Subscription(
          service.watchItems(in: lists.map { WatchedList($0, from: .snapshot) }, state: .all))
        for _ in lists {
          guard case .ended(.listNotFound) = try await watch.next()?.content else {
            Issue.record("the list is watched")
            return
          }
        }
        #expect(try await watch.next() == nil)
      },
    ]
  }

  private static var refusals: [Rule] {
    [
      Rule("a watch of the same list twice, or of a negative revision, is refused") { service async throws in
        let work = ListID()
        let lists = [
          WatchedList(work, from: .now), WatchedList(.default, from: .after(Revision(-1))),
          WatchedList(work, from: .snapshot),
        ]
        let watch = Subscription(service.watchItems(in: lists, state: .all))
        let violations = [
          FieldViolation("further_lists[0].after_revision", "must not be negative"),
          FieldViolation("further_lists[1].list", "must be another list than those before"),
        ]
        await #expect(throws: ToDoError.invalidRequest(violations)) { try await watch.next() }
      },
      Rule("a watch with an invalid filter is refused") { service async throws in
        let lists = [WatchedList(.default, from: .now), WatchedList(ListID(), from: .now)]
        let filter = ItemFilter(tags: TagFilter(any: ["a b"]))
        let watch = Subscription(service.watchItems(in: lists, state: .all, filter: filter))
        await #expect {
          while try await watch.next() != nil {}
        } throws: { error in
          guard case .invalidRequest(let violations) = error as? ToDoError else { return false }
          return violations.map(\.field) == ["filter.tags.any[0]"]
        }
      },
      Rule("a watch of as many lists as a user reads is accepted, and one of more refused") { service async throws in
        #expect(UserList.Limits.readable == 201)
        var lists = [WatchedList(.default, from: .now)]
        while lists.count < UserList.Limits.readable { lists.append(WatchedList(ListID(), from: .now)) }
        let watch = Subscription(service.watchItems(in: lists, state: .all))
        for _ in lists { #expect(try await watch.next() != nil) }
        lists.append(WatchedList(ListID(), from: .now))
        let refused = Subscription(service.watchItems(in: lists, state: .all))
        let violation = FieldViolation("further_lists", "has 201 elements; at most 200 are allowed")
        await #expect(throws: ToDoError.invalidRequest([violation])) { try await refused.next() }
      },
    ]
  }
}

extension ToDoListService {
  fileprivate func add(_ title: String, to list: ListID = .default) async throws -> ToDoItem {
    let item = NewItem(id: ItemID(), content: ItemContent(title: title))
    return try await items(in: list).addItem(item, options: SaveOptions(allowsDuplicate: true))
  }
}

extension ChangeSet {
  /// Returns the addition of an item.
  fileprivate static func put(_ item: ToDoItem) -> ChangeSet {
    ChangeSet(revision: item.revision, changes: [.put(item, .added)])
  }
}

extension Subscription<ListWatchEvents> {
  /// Returns the next event that is not progress, without the name of the user.
  fileprivate nonisolated func nextChanges() async throws -> ListWatchEvent? {
    while let event = try await next() {
      switch event.content {
      case .event(.progress): continue
      case .event(.changes(var set)):
        set.user = ""
        return ListWatchEvent(event.list, .event(.changes(set)))
      default: return event
      }
    }
    return nil
  }
}
