import Testing
import ToDoModel

extension ServiceContract {
  static var history: [Rule] {
    [
      Rule("an empty list has no history") { subject async throws in
        #expect(try await subject.service.history(HistoryQuery()) == HistoryPage(revisions: [], hasMore: false))
      },
      Rule("the history contains every revision, the latest first, with its time and changes") { subject async throws in
        let items = try await subject.addBatch(["b", "a", "c"])
        subject.clock.advance(by: .seconds(5))
        _ = try await subject.service.checkItem(items[1].id, ifRevision: nil)
        try await subject.delete(items[2])
        try await subject.undelete(items[2])
        let page = try await subject.service.history(HistoryQuery())
        #expect(!page.hasMore)
        #expect(page.revisions.map(\.revision.number) == [4, 3, 2, 1])
        #expect(page.revisions.map(\.changeCount) == [1, 1, 1, 3])
        #expect(page.revisions.map(\.origin.reverted) == [nil, nil, nil, nil])
        #expect(page.revisions[0].changes == [subject.recorded(items[2], .put(.restored))])
        #expect(page.revisions[1].changes == [subject.recorded(items[2], .deleted)])
        #expect(page.revisions[1].time == subject.clock.now())
        var checked = subject.recorded(items[1], .put(.checked))
        checked.fields = [FieldChange(.done, from: .done(false), to: .done(true))]
        #expect(page.revisions[2].changes == [checked])
        let added = items.sorted { $0.id < $1.id }.map { subject.recorded($0, .put(.added)) }
        #expect(page.revisions[3].changes == added)
        #expect(page.revisions[3].time == items[0].createdAt)
      },
      Rule("the history has the title that an item had after each change") { subject async throws in
        let item = try await subject.add("Milk")
        try await subject.retitle(item, "Bread")
        try await subject.delete(item)
        let page = try await subject.service.history(HistoryQuery())
        #expect(page.revisions.map { $0.changes.map(\.title) } == [["Bread"], ["Bread"], ["Milk"]])
        #expect(page.revisions.map { $0.changes.map(\.kind) } == [[.deleted], [.put(.edited)], [.put(.added)]])
        #expect(page.revisions.allSatisfy { $0.changes.map(\.number) == [item.number] })
      },
      Rule("the history has the fields that each change set, with their former and new values") {
        subject async throws in
        let place = Location(name: "Rewe", coordinate: Coordinate(latitude: 48, longitude: 11))
        let item = try await subject.add(ItemContent(title: "Milk", itemDescription: "2 %", location: place))
        var edit = ItemEdit()
        edit.itemDescription = .clear
        edit.due = .set(.time(subject.clock.now()))
        edit.location = .clear
        _ = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        edit = ItemEdit()
        edit.due = .set(.date(CalendarDate(daysSinceEpoch: 20_000)))
        _ = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        let (time, date) = (DueDate.time(subject.clock.now()), DueDate.date(CalendarDate(daysSinceEpoch: 20_000)))
        let changes = try await subject.service.history(HistoryQuery()).revisions.flatMap(\.changes)
        #expect(
          changes.map(\.fields) == [
            [FieldChange(.due, from: .due(time), to: .due(date))],
            [
              FieldChange(.itemDescription, from: .text("2 %"), to: nil),
              FieldChange(.due, from: nil, to: .due(time)),
              FieldChange(.placeName, from: .text("Rewe"), to: nil),
              FieldChange(.coordinate, from: place.coordinate.map(FieldChange.Value.coordinate), to: nil),
            ],
            [],
          ])
      },
      Rule("a text of the history that is too long is an excerpt from the first difference on") {
        subject async throws in
        let long = String(repeating: "é", count: 300)
        let excerpt = "…" + String(repeating: "é", count: 12)
        let item = try await subject.add(long + "old")
        try await subject.retitle(item, long + "new")
        let change = try #require(try await subject.service.history(HistoryQuery()).revisions.first?.changes.first)
        #expect(change.fields == [FieldChange(.title, from: .text(excerpt + "old"), to: .text(excerpt + "new"))])
      },
      Rule("a record contains the first 100 changes of a revision, and their number") { subject async throws in
        let items = try await subject.addBatch((0..<120).map { "Item \($0)" })
        let page = try await subject.service.history(HistoryQuery(pageSize: 1))
        let record = try #require(page.revisions.first)
        #expect(record.changeCount == 120)
        #expect(record.changes.map(\.item) == Array(items.map(\.id).sorted().prefix(100)))
        #expect(!page.hasMore)
      },
      Rule("pages of the history are consecutive and contain whole revisions") { subject async throws in
        for number in 0..<4 { try await subject.add("Item \(number)") }
        try await subject.addBatch(["a", "b", "c"])
        for number in 4..<7 { try await subject.add("Item \(number)") }
        let whole = try await subject.service.history(HistoryQuery()).revisions
        #expect(whole.map(\.revision.number) == [8, 7, 6, 5, 4, 3, 2, 1])
        for size in 1...9 {
          var query = HistoryQuery(pageSize: size)
          var pages: [HistoryPage] = []
          repeat {
            pages.append(try await subject.service.history(query))
            query.before = try #require(pages.last?.revisions.last).revision
          } while pages.last?.hasMore == true
          #expect(pages.flatMap(\.revisions) == whole, "in pages of \(size)")
          for page in pages {
            let sizes = page.revisions.map(\.changeCount)
            #expect(sizes.dropLast().reduce(0, +) < size, "in pages of \(size)")
          }
        }
      },
      Rule("the history of an item contains only its changes") { subject async throws in
        let items = try await subject.addBatch(["a", "b"])
        try await subject.retitle(items[0], "A")
        try await subject.retitle(items[1], "B")
        try await subject.delete(items[0])
        let page = try await subject.service.history(HistoryQuery(item: items[0].id))
        #expect(page.revisions.map(\.revision.number) == [4, 2, 1])
        #expect(page.revisions.allSatisfy { $0.changes.map(\.item) == [items[0].id] })
        #expect(!page.hasMore)
        let first = try await subject.service.history(HistoryQuery(item: items[0].id, pageSize: 1))
        #expect(first.revisions.map(\.revision.number) == [4])
        #expect(first.hasMore)
        let rest = try await subject.service.history(HistoryQuery(before: Revision(4), item: items[0].id))
        #expect(rest.revisions.map(\.revision.number) == [2, 1])
        let unknown = try await subject.service.history(HistoryQuery(item: ItemID(high: 1, low: 2)))
        #expect(unknown == HistoryPage(revisions: [], hasMore: false))
      },
      Rule("the history before the first revision is empty, and before a future one complete") { subject async throws in
        try await subject.add("a")
        try await subject.add("b")
        let first = try await subject.service.history(HistoryQuery(before: Revision(1)))
        #expect(first == HistoryPage(revisions: [], hasMore: false))
        let future = try await subject.service.history(HistoryQuery(before: Revision(.max)))
        #expect(future.revisions.map(\.revision.number) == [2, 1])
      },
      Rule("an operation that changes nothing is not in the history") { subject async throws in
        let item = try await subject.add("a")
        _ = try await subject.service.uncheckItem(item.id, ifRevision: nil)
        _ = try await subject.service.deleteItems(.done)
        try await subject.delete(item)
        _ = try await subject.service.deleteItems(.deleted)
        #expect(try await subject.service.history(HistoryQuery()).revisions.map(\.revision.number) == [2, 1])
      },
      Rule("an invalid query of the history is rejected") { subject async throws in
        try await subject.add("a")
        for size in [0, -1] {
          await expectViolations(of: ["page_size"]) {
            try await subject.service.history(HistoryQuery(pageSize: size))
          }
        }
        await expectViolations(of: ["before_revision"]) {
          try await subject.service.history(HistoryQuery(before: Revision(-1)))
        }
        await #expect(throws: ToDoError.listReplaced) {
          try await subject.service.history(HistoryQuery(before: Revision(1, of: .random())))
        }
      },
      Rule("the revisions of the history name the incarnation of the list") { subject async throws in
        try await subject.add("a")
        let incarnation = try await subject.service.items(ItemQuery()).revision.incarnation
        let record = try #require(try await subject.service.history(HistoryQuery()).revisions.first)
        #expect(record.revision.incarnation == incarnation)
        let reversal = try await subject.service.revertRevision(record.revision)
        #expect(reversal.revision.incarnation == incarnation)
      },
    ]
  }
}

extension ServiceContract.Subject {
  /// Returns the history's record of a change that does not change the title.
  func recorded(_ item: ToDoItem, _ kind: RecordedChange.Kind) -> RecordedChange {
    RecordedChange(item: item.id, number: item.number, title: item.title, kind: kind)
  }

  /// Changes the title of an item one millisecond after the previous change.
  @discardableResult
  func retitle(_ item: ToDoItem, _ title: String) async throws -> ToDoItem {
    clock.advance(by: .milliseconds(1))
    var edit = ItemEdit()
    edit.title = title
    return try await service.updateItem(item.id, edit, ifRevision: nil)
  }
}
