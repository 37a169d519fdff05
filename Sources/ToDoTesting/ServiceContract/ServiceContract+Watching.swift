import Testing
import ToDoModel

extension ServiceContract {
  static var watching: [Rule] {
    [
      Rule("a watch from now emits the current revision, then each change") { subject async throws in
        try await subject.add("Before")
        let watch = Subscription(subject.service.watch(from: .now, state: .all))
        #expect(try await watch.next() == .progress(Revision(1)))
        let item = try await subject.add("Milk")
        #expect(try await watch.next() == .changes(.put(item, .added)))
      },
      Rule("a watch with a snapshot emits the items, then their revision, then each change") {
        subject async throws in
        let items = [try await subject.add("Milk"), try await subject.add(.full)]
        let watch = Subscription(subject.service.watch(from: .snapshot, state: .all))
        #expect(try await watch.next() == .snapshotPage(items))
        #expect(try await watch.next() == .snapshotEnd(Revision(2)))
        let checked = try await subject.service.checkItem(items[0].id, ifRevision: nil)
        #expect(try await watch.next() == .changes(.put(checked, .checked)))
      },
      Rule("a snapshot of an empty list ends immediately") { subject async throws in
        let watch = Subscription(subject.service.watch(from: .snapshot, state: .all))
        #expect(try await watch.next() == .snapshotEnd(.initial))
        let item = try await subject.add("Milk")
        #expect(try await watch.next() == .changes(.put(item, .added)))
      },
      Rule("a large snapshot is emitted in pages, without repeated items") { subject async throws in
        let batches = (0..<3).map { batch in
          (0..<500).map { subject.newItem(ItemContent(title: "Item \(batch * 500 + $0)")) }
        }
        for batch in batches { _ = try await subject.service.addItems(batch) }
        var (ids, pages) = (Set<ItemID>(), 0)
        let watch = Subscription(subject.service.watch(from: .snapshot, state: .all))
        while let event = try await watch.next() {
          guard case .snapshotPage(let items) = event else {
            #expect(event == .snapshotEnd(Revision(3)))
            break
          }
          pages += 1
          for item in items { #expect(ids.insert(item.id).inserted) }
        }
        #expect(ids == Set(batches.joined().map(\.id)))
        #expect(pages > 1)
      },
      Rule("a watch after a revision emits all later changes, then a progress event") { subject async throws in
        let first = try await subject.add("Milk")
        let second = try await subject.add("Bread")
        let deleted = try await subject.service.deleteItem(first.id, ifRevision: nil)
        let watch = Subscription(subject.service.watch(from: .after(first.revision), state: .all))
        #expect(try await watch.next() == .changes(.put(second, .added)))
        #expect(
          try await watch.next()
            == .changes(
              .deleted(ItemDeletion(id: first.id, wasDone: false, revision: deleted, deletedAt: subject.clock.now()))))
        #expect(try await watch.next() == .progress(deleted))
        let third = try await subject.add("Butter")
        #expect(try await watch.next() == .changes(.put(third, .added)))
      },
      Rule("a watch after a listing's revision misses nothing") { subject async throws in
        try await subject.add("Milk")
        let page = try await subject.service.items(ItemQuery())
        let item = try await subject.add("Bread")
        let watch = Subscription(subject.service.watch(from: .after(page.revision), state: .all))
        #expect(try await watch.next() == .changes(.put(item, .added)))
      },
      Rule("every change has its cause and the resulting item") { subject async throws in
        let watch = Subscription(subject.service.watch(from: .after(.initial), state: .all))
        #expect(try await watch.next() == .progress(.initial))
        let added = try await subject.add("Milk")
        var edit = ItemEdit()
        edit.title = "Bread"
        let edited = try await subject.service.updateItem(added.id, edit, ifRevision: nil)
        let checked = try await subject.service.checkItem(added.id, ifRevision: nil)
        let unchecked = try await subject.service.uncheckItem(added.id, ifRevision: nil)
        let changes: [ItemChange] = [
          .put(added, .added), .put(edited, .edited), .put(checked, .checked), .put(unchecked, .unchecked),
        ]
        for change in changes { #expect(try await watch.next() == .changes(change)) }
        // A watch that starts later emits the same changes.
        let later = Subscription(subject.service.watch(from: .after(.initial), state: .all))
        for change in changes { #expect(try await later.next() == .changes(change)) }
      },
      Rule("a write that changes nothing emits no event") { subject async throws in
        let item = try await subject.add("Milk")
        let watch = Subscription(subject.service.watch(from: .now, state: .all))
        _ = try await watch.next()
        _ = try await subject.service.uncheckItem(item.id, ifRevision: nil)
        _ = try await subject.service.deleteItems(.done)
        await #expect(throws: ToDoError.self) { try await subject.add("Milk") }
        let other = try await subject.add("Bread")
        #expect(try await watch.next() == .changes(.put(other, .added)))
      },
      Rule("all changes of one revision are one event") { subject async throws in
        let watch = Subscription(subject.service.watch(from: .now, state: .all))
        _ = try await watch.next()
        let batch = (0..<500).map { subject.newItem(ItemContent(title: "Item \($0)")) }
        let added = try await subject.service.addItems(batch)
        let byID = added.sorted { $0.id < $1.id }
        #expect(
          try await watch.next()
            == .changes(ChangeSet(revision: Revision(1), changes: byID.map { .put($0, .added) })))
        let result = try await subject.service.deleteItems(.all)
        let deletions = byID.map {
          ItemChange.deleted(
            ItemDeletion(id: $0.id, wasDone: false, revision: result.revision, deletedAt: subject.clock.now()))
        }
        #expect(try await watch.next() == .changes(ChangeSet(revision: Revision(2), changes: deletions)))
      },
      Rule("changes of concurrent writers are emitted in order and exactly once") { subject async throws in
        let watcher = Task {
          var revisions: [Int64] = []
          let watch = Subscription(subject.service.watch(from: .after(.initial), state: .all))
          while revisions.count < 100, let event = try await watch.next() {
            if case .changes(let set) = event { revisions.append(set.revision.number) }
          }
          return revisions
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
          for writer in 0..<10 {
            group.addTask {
              for number in 0..<10 { try await subject.add("Item \(number) of \(writer)") }
            }
          }
          try await group.waitForAll()
        }
        #expect(try await watcher.value == Array(1...100))
      },
      Rule("a watch of one state emits items that enter and leave the state") { subject async throws in
        let toDo = Subscription(subject.service.watch(from: .after(.initial), state: .toDo))
        let done = Subscription(subject.service.watch(from: .after(.initial), state: .done))
        #expect(try await toDo.next() == .progress(.initial))
        #expect(try await done.next() == .progress(.initial))
        let added = try await subject.add("Milk")
        let checked = try await subject.service.checkItem(added.id, ifRevision: nil)
        let removed = try await subject.service.deleteItems(.done)
        let other = try await subject.add("Bread")
        let deletion = ItemChange.deleted(
          ItemDeletion(id: added.id, wasDone: true, revision: removed.revision, deletedAt: checked.updatedAt))
        #expect(try await toDo.next() == .changes(.put(added, .added)))
        #expect(try await toDo.next() == .changes(.put(checked, .checked)))
        #expect(try await toDo.next() == .changes(.put(other, .added)))
        #expect(try await done.next() == .changes(.put(checked, .checked)))
        #expect(try await done.next() == .changes(deletion))
        let snapshot = Subscription(subject.service.watch(from: .snapshot, state: .done))
        #expect(try await snapshot.next() == .snapshotEnd(other.revision))
      },
      Rule("an idle watch emits its revision at an interval") {
        subject async throws in
        let watch = Subscription(subject.service.watch(from: .now, state: .done))
        #expect(try await watch.next() == .progress(.initial))
        // The filter excludes this change, so the watch only reports its revision.
        try await subject.add("Milk")
        for _ in 0..<2 {
          let time = Task { await subject.passTime() }
          var event = try await watch.next()
          // An interval can elapse before the change is processed.
          while event == .progress(.initial) { event = try await watch.next() }
          #expect(event == .progress(Revision(1)))
          time.cancel()
          await time.value
        }
      },
      Rule("a watch after a negative revision is rejected") { subject async throws in
        await expectViolations(of: ["after_revision"]) {
          let watch = Subscription(subject.service.watch(from: .after(Revision(-1)), state: .all))
          return try await watch.next()
        }
      },
      Rule("a watch after a future revision is rejected") { subject async throws in
        try await subject.add("Milk")
        let watch = Subscription(subject.service.watch(from: .after(Revision(2)), state: .all))
        await #expect(throws: ToDoError.revisionInFuture(current: Revision(1))) { try await watch.next() }
        #expect(try await watch.next() == nil)
      },
      Rule("cancelling the task of a watch ends it") { subject async throws in
        let watcher = Task {
          for try await _ in subject.service.watch(from: .now, state: .all) { withUnsafeCurrentTask { $0?.cancel() } }
        }
        await #expect(throws: CancellationError.self) { try await watcher.value }
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
