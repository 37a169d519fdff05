import Testing
import ToDoModel

extension ServiceContract {
  static var changing: [Rule] {
    [
      Rule("check marks an item as done, and uncheck as incomplete") { subject async throws in
        let item = try await subject.add(.full)
        subject.clock.advance(by: .seconds(5))
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect(checked.isDone)
        #expect(checked.completedAt == subject.clock.now())
        #expect(checked.updatedAt == subject.clock.now())
        #expect(checked.createdAt == item.createdAt)
        #expect(checked.revision == Revision(2))
        let unchecked = try await subject.service.uncheckItem(item.id, ifRevision: nil)
        #expect(!unchecked.isDone)
        #expect(unchecked.revision == Revision(3))
        #expect(unchecked.content == item.content)
      },
      Rule("checking a done item and unchecking an incomplete item change nothing") { subject async throws in
        let item = try await subject.add("Milk")
        #expect(try await subject.service.uncheckItem(item.id, ifRevision: nil) == item)
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        subject.clock.advance(by: .seconds(5))
        #expect(try await subject.service.checkItem(item.id, ifRevision: nil) == checked)
      },
      Rule("an edit changes only the fields that it names") { subject async throws in
        let item = try await subject.add(.full)
        subject.clock.advance(by: .seconds(5))
        var edit = ItemEdit()
        edit.title = "Visit the museum"
        edit.due = .set(.date(CalendarDate(daysSinceEpoch: 20_600)))
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        var expected = item
        expected.content.title = "Visit the museum"
        expected.content.due = .date(CalendarDate(daysSinceEpoch: 20_600))
        expected.updatedAt = subject.clock.now()
        expected.revision = Revision(2)
        #expect(edited == expected)
        #expect(try await subject.service.item(item.id) == expected)
      },
      Rule("an edit can clear every optional field") { subject async throws in
        let item = try await subject.add(.full)
        var edit = ItemEdit()
        edit.itemDescription = .clear
        edit.due = .clear
        edit.location = .clear
        edit.tags = []
        edit.priority = .clear
        edit.steps = []
        edit.waitUntil = .clear
        edit.reminders = []
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(edited.content == ItemContent(title: item.title))
      },
      Rule("an edit can set parts of a location, and clearing its last part clears it") { subject async throws in
        let item = try await subject.add("Milk")
        var edit = ItemEdit()
        edit.location = .edit(name: .set("Shop"), address: .set("Main Street 1"))
        let named = try await subject.service.updateItem(
          item.id, edit, ifRevision: nil, options: SaveOptions(savesWithoutCoordinate: true))
        #expect(named.location == Location(name: "Shop", address: "Main Street 1"))
        edit.location = .edit(name: .clear, coordinate: .set(try #require(Coordinate(latitude: 1, longitude: 2))))
        let moved = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(moved.location == Location(address: "Main Street 1", coordinate: Coordinate(latitude: 1, longitude: 2)))
        edit.location = .edit(address: .clear, coordinate: .clear)
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).location == nil)
      },
      Rule("an edit can replace the location as a whole") { subject async throws in
        let item = try await subject.add(.full)
        var edit = ItemEdit()
        edit.location = .set(Location(name: "Elsewhere"))
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(edited.location == Location(name: "Elsewhere"))
      },
      Rule("an edit that changes nothing does not change the revision or the times") { subject async throws in
        let item = try await subject.add(.full)
        subject.clock.advance(by: .seconds(5))
        var edit = ItemEdit()
        edit.title = item.title
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil) == item)
      },
      Rule("another form of the same letters is a change, which the history shows") { subject async throws in
        let item = try await subject.add(ItemContent(title: "caf\u{E9}", steps: [Step("caf\u{E9}")]))
        var edit = ItemEdit()
        edit.title = "cafe\u{301}"
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(edited.revision > item.revision)
        #expect(Array(edited.title.utf8) == Array("cafe\u{301}".utf8))
        let fields = try await subject.service.history(HistoryQuery()).revisions.first?.changes.first?.fields
        #expect(fields?.map(\.field) == [.title])
        edit = ItemEdit()
        edit.steps = [Step("cafe\u{301}")]
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).revision > edited.revision)
      },
      Rule("an invalid edit is rejected with its fields and changes nothing") { subject async throws in
        let item = try await subject.add(.full)
        var edit = ItemEdit()
        edit.title = " "
        edit.location = .edit(name: .set(String(repeating: "x", count: 1025)))
        await expectViolations(of: ["item.title", "item.location.name"]) {
          try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        }
        #expect(try await subject.service.item(item.id) == item)
      },
      Rule("an edit of no field is rejected") { subject async throws in
        let item = try await subject.add("Milk")
        var keepingAll = ItemEdit()
        keepingAll.location = .edit()
        for edit in [ItemEdit(), keepingAll] {
          await expectViolations(of: ["update_mask"]) {
            try await subject.service.updateItem(item.id, edit, ifRevision: nil)
          }
        }
      },
      Rule("edit, check, uncheck and delete can require a revision") { subject async throws in
        let item = try await subject.add("Milk")
        let checked = try await subject.service.checkItem(item.id, ifRevision: item.revision)
        var edit = ItemEdit()
        edit.title = "Bread"
        let mismatch = ToDoError.revisionMismatch(item.id, current: checked.revision)
        await #expect(throws: mismatch) {
          try await subject.service.updateItem(item.id, edit, ifRevision: item.revision)
        }
        await #expect(throws: mismatch) { try await subject.service.uncheckItem(item.id, ifRevision: item.revision) }
        await #expect(throws: mismatch) { try await subject.service.deleteItem(item.id, ifRevision: item.revision) }
        #expect(try await subject.service.item(item.id) == checked)
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: checked.revision)
        await #expect(throws: ToDoError.revisionMismatch(item.id, current: edited.revision)) {
          try await subject.service.checkItem(item.id, ifRevision: item.revision)
        }
        let unchecked = try await subject.service.uncheckItem(item.id, ifRevision: edited.revision)
        #expect(try await subject.service.deleteItem(item.id, ifRevision: unchecked.revision) == Revision(5))
      },
      Rule("a repeated check or uncheck with the same revision changes nothing") { subject async throws in
        let item = try await subject.add("Milk")
        let checked = try await subject.service.checkItem(item.id, ifRevision: item.revision)
        #expect(try await subject.service.checkItem(item.id, ifRevision: item.revision) == checked)
        let unchecked = try await subject.service.uncheckItem(item.id, ifRevision: checked.revision)
        #expect(try await subject.service.uncheckItem(item.id, ifRevision: checked.revision) == unchecked)
        await #expect(throws: ToDoError.revisionMismatch(item.id, current: unchecked.revision)) {
          try await subject.service.checkItem(item.id, ifRevision: item.revision)
        }
        #expect(try await subject.service.item(item.id) == unchecked)
      },
      Rule("changes of an unknown ID fail with that ID") { subject async throws in
        let id = ItemID(high: 1, low: 2)
        var edit = ItemEdit()
        edit.title = "Bread"
        await #expect(throws: ToDoError.itemNotFound(id)) {
          try await subject.service.updateItem(id, edit, ifRevision: nil)
        }
        await #expect(throws: ToDoError.itemNotFound(id)) { try await subject.service.checkItem(id, ifRevision: nil) }
        await #expect(throws: ToDoError.itemNotFound(id)) { try await subject.service.uncheckItem(id, ifRevision: nil) }
        await #expect(throws: ToDoError.itemNotFound(id)) { try await subject.service.deleteItem(id, ifRevision: nil) }
      },
    ]
  }

  static var deleting: [Rule] {
    [
      Rule("a deleted item does not exist, and its deletion is a change") { subject async throws in
        let item = try await subject.add("Milk")
        #expect(try await subject.service.deleteItem(item.id, ifRevision: nil) == Revision(2))
        await #expect(throws: ToDoError.itemNotFound(item.id)) { try await subject.service.item(item.id) }
        await #expect(throws: ToDoError.itemNotFound(item.id)) {
          try await subject.service.deleteItem(item.id, ifRevision: nil)
        }
        #expect(try await subject.service.items(ItemQuery()) == ItemPage(items: [], revision: Revision(2)))
      },
      Rule("deleting all done items preserves incomplete items and is one change") { subject async throws in
        for title in ["a", "b", "c"] {
          let item = try await subject.add(title)
          if title != "b" { _ = try await subject.service.checkItem(item.id, ifRevision: nil) }
        }
        let result = try await subject.service.deleteItems(.done)
        #expect(result == BulkDeletionResult(deletedCount: 2, revision: Revision(6)))
        #expect(try await subject.titles() == ["b"])
      },
      Rule("deleting all items empties the list, and deleting nothing is not a change") { subject async throws in
        try await subject.add("a")
        try await subject.add("b")
        let result = try await subject.service.deleteItems(.all)
        #expect(result == BulkDeletionResult(deletedCount: 2, revision: Revision(3)))
        #expect(try await subject.titles().isEmpty)
        #expect(
          try await subject.service.deleteItems(.all) == BulkDeletionResult(deletedCount: 0, revision: Revision(3)))
      },
      Rule("info contains the version and the time") { subject async throws in
        let info = try await subject.service.info()
        #expect(info.version == ServiceInfo.currentVersion)
        #expect(info.time == subject.clock.now())
      },
    ]
  }

  static var concurrency: [Rule] {
    [
      Rule("exactly one of many concurrent adds of the same content succeeds") { subject async throws in
        let results = await outcomes(of: 32) { _ in
          try await subject.service.addItem(subject.newItem(.full))
        }
        #expect(results.count { (try? $0.get()) != nil } == 1)
        #expect(try await subject.titles().count == 1)
      },
      Rule("concurrent changes get distinct revisions, and none is lost") { subject async throws in
        let results = await outcomes(of: 64) { index in
          try await subject.service.addItem(subject.newItem(ItemContent(title: "\(index)")))
        }
        let revisions = try results.map { try $0.get().revision.number }.sorted()
        #expect(revisions == Array(1...64))
        #expect(try await subject.titles().count == 64)
      },
      Rule("exactly one of several concurrent changes that require the same revision succeeds") {
        subject async throws in
        let item = try await subject.add("Milk")
        let results = await outcomes(of: 16) { index in
          var edit = ItemEdit()
          edit.title = "Milk \(index)"
          return try await subject.service.updateItem(item.id, edit, ifRevision: item.revision)
        }
        #expect(results.count { (try? $0.get()) != nil } == 1)
      },
    ]
  }
}

/// Runs an operation many times concurrently.
private func outcomes<Value: Sendable>(
  of count: Int, _ operation: @escaping @Sendable (Int) async throws -> Value
) async -> [Result<Value, any Error>] {
  await withTaskGroup { group in
    for index in 0..<count {
      group.addTask {
        do { return Result<Value, any Error>.success(try await operation(index)) } catch { return .failure(error) }
      }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
}
