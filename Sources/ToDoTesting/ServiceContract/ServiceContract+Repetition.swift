import Testing
import ToDoModel

extension ServiceContract {
  /// The rules for items that repeat.
  static var repeating: [Rule] {
    [
      Rule("a calendar rule starts at the due date, also if only the due date is edited later") {
        subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        #expect(item.repetition?.start == .on("2026-01-05"))
        var edit = ItemEdit()
        edit.due = .set(.on("2026-01-07"))
        let moved = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect((moved.due, moved.repetition?.start) == (.on("2026-01-07"), .on("2026-01-05")))
        edit = ItemEdit()
        edit.repetition = .set(Repetition(.calendar(RecurrenceRule(.daily, weekdays: [.init(4), .init(2), .init(4)]))))
        let daily = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        let rule = RecurrenceRule(.daily, weekdays: [.init(2), .init(4)])
        #expect(daily.repetition == Repetition(.calendar(rule), start: .on("2026-01-07")))
      },
      Rule("an invalid repetition is rejected with its fields") { subject async throws in
        func violations(_ content: ItemContent, _ fields: String...) async {
          await expectViolations(of: fields.map { "item.\($0)" }) { try await subject.add(content) }
        }
        await violations(.repeating(.calendar(RecurrenceRule(.daily))), "repetition")
        await violations(.weekly(due: "2026-01-05", zone: "Europe/Nowhere"), "repetition.time_zone")
        await violations(.weekly(due: "2026-01-05", zone: "../etc/passwd"), "repetition.time_zone")
        await violations(.repeating(.afterDone(.init(0, .daily))), "repetition.after_done.count")
        var content = ItemContent.weekly(due: "2026-01-05")
        content.repetition?.missedCount = -1
        await violations(content, "repetition.missed_count")
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        var edit = ItemEdit()
        edit.due = .clear
        await expectViolations(of: ["item.repetition"]) {
          try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        }
        edit.repetition = .clear
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).repetition == nil)
      },
      Rule("a check adds the done occurrence, and moves the item on, in one revision") { subject async throws in
        var content = ItemContent.weekly(due: "2026-01-05")
        content.tags = ["home"]
        content.steps = [Step("a", isDone: true), Step("b")]
        content.waitUntil = Timestamp("2026-01-04T08:00:00Z")
        let item = try await subject.add(content)
        subject.clock.advance(by: .seconds(60))
        let checked = try await subject.service.checkItem(item.id, ifRevision: item.revision)
        var moved = item
        moved.content.due = .on("2026-01-12")
        moved.content.steps = [Step("a"), Step("b")]
        moved.content.waitUntil = Timestamp("2026-01-11T08:00:00Z")
        (moved.updatedAt, moved.revision) = (subject.clock.now(), Revision(2))
        #expect(checked == moved)
        let done = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        var expected = item.content
        expected.repetition = nil
        #expect(done.content == expected)
        #expect(
          (done.number, done.completedAt, done.createdAt) == (ItemNumber(2), subject.clock.now(), subject.clock.now()))
        #expect(done.revision == Revision(2))
        let changes = try await subject.service.changes(ChangeQuery(after: item.revision)).changes
        #expect(changes == [ItemChange.put(moved, .checked), .put(done, .added)].sorted { $0.id < $1.id })
      },
      Rule("missed occurrences are counted, and the next one is not overdue") { subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        subject.clock.advance(by: .seconds(30 * 24 * 3600))
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect((checked.due, checked.repetition?.missedCount) == (.on("2026-02-02"), 3))
        subject.clock.advance(by: .seconds(10 * 24 * 3600))
        let again = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect((again.due, again.repetition?.missedCount) == (.on("2026-02-16"), 4))
      },
      Rule("occurrences keep their local time while the clocks change") { subject async throws in
        var content = ItemContent.weekly(due: "2026-03-23")
        content.due = .time(try #require(Timestamp("2026-03-23T08:00:00Z")))
        let item = try await subject.add(content)
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect(checked.due == .time(try #require(Timestamp("2026-03-30T07:00:00Z"))))
      },
      Rule("a repeated check with the same revision checks once, and one with another is rejected") {
        subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        let checked = try await subject.service.checkItem(item.id, ifRevision: item.revision)
        #expect(try await subject.service.checkItem(item.id, ifRevision: item.revision) == checked)
        let again = try await subject.service.checkItem(item.id, ifRevision: checked.revision)
        #expect(try await subject.service.checkItem(item.id, ifRevision: item.revision) == again)
        #expect(try await subject.service.items(ItemQuery(state: .done)).items.count == 2)
        await #expect(throws: ToDoError.revisionMismatch(item.id, current: again.revision)) {
          try await subject.service.checkItem(item.id, ifRevision: Revision(99))
        }
      },
      Rule("the last occurrence is checked like any item") { subject async throws in
        let rule = RecurrenceRule(.weekly, end: .count(2))
        var content = ItemContent.repeating(.calendar(rule))
        content.due = .on("2026-01-05")
        let item = try await subject.add(content)
        #expect(try await !subject.service.checkItem(item.id, ifRevision: nil).isDone)
        let last = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect(last.isDone)
        #expect(last.due == .on("2026-01-12"))
        #expect(try await subject.service.items(ItemQuery()).items.count == 2)
        #expect(try await !subject.service.uncheckItem(item.id, ifRevision: nil).isDone)
      },
      Rule("an item that repeats after it is done moves on from the day of the check") { subject async throws in
        let item = try await subject.add(.repeating(.afterDone(.init(3, .daily))))
        subject.clock.advance(by: .seconds(23 * 3600 + 1800))
        // 00:30 of 2 January in Berlin.
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect((checked.due, checked.isDone, checked.repetition?.start) == (.on("2026-01-05"), false, nil))
        let again = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect(again.due == .on("2026-01-05"))
        #expect(again.revision == Revision(3))
        #expect(try await subject.service.items(ItemQuery(state: .done)).items.count == 2)
      },
      Rule("an occurrence that was moved is not due again on its original date") { subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-06"))
        var edit = ItemEdit()
        edit.due = .set(.on("2026-01-02"))
        let moved = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(moved.repetition?.occurrence == .on("2026-01-06"))
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect((checked.due, checked.repetition) == (.on("2026-01-13"), item.repetition))
        _ = try await subject.service.revertRevision(checked.revision)
        #expect(try await subject.service.item(item.id).content == moved.content)
        edit.due = .set(.on("2026-01-06"))
        let back = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(back.content == item.content)
        edit.due = .set(.on("2026-01-15"))
        _ = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(try await subject.service.checkItem(item.id, ifRevision: nil).due == .on("2026-01-13"))
      },
      Rule("an edit that sends the same repetition keeps the date of a moved occurrence, and one with another does not")
      {
        subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-06"))
        var edit = ItemEdit()
        edit.due = .set(.on("2026-01-02"))
        edit.repetition = item.repetition.map { .set($0) } ?? .keep
        let moved = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(moved.repetition?.occurrence == .on("2026-01-06"))
        edit.due = .keep
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).content == moved.content)
        edit.repetition = .set(Repetition(.calendar(RecurrenceRule(.daily))))
        let daily = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(daily.repetition == Repetition(.calendar(RecurrenceRule(.daily)), start: .on("2026-01-02")))
      },
      Rule("the date of a moved occurrence is added with the item") { subject async throws in
        var content = ItemContent.weekly(due: "2026-01-02")
        content.repetition?.start = .on("2026-01-06")
        content.repetition?.occurrence = .on("2026-01-13")
        let item = try await subject.add(content)
        #expect(item.content == content)
        #expect(try await subject.service.checkItem(item.id, ifRevision: nil).due == .on("2026-01-20"))
        content.title = "Water the trees"
        content.repetition?.occurrence = .on("2026-01-02")
        #expect(try await subject.add(content).repetition?.occurrence == nil)
      },
      Rule("a check may move an item on to a duplicate") { subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        try await subject.add("Water the plants", due: .on("2026-01-12"))
        #expect(try await subject.service.checkItem(item.id, ifRevision: nil).due == .on("2026-01-12"))
      },
    ]
  }

  /// The rules for undoing the check of an item that repeats.
  static var repetitionUndone: [Rule] {
    [
      Rule("an undo of a check brings the item back exactly, and a redo checks it again") { subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let undone = try await subject.service.revertRevision(checked.revision)
        #expect(undone == Reversal(revision: Revision(3), revertedCount: 2))
        #expect(try await subject.service.items(ItemQuery()).items.map(\.content) == [item.content])
        #expect(try await subject.service.revertRevision(undone.revision).revertedCount == 2)
        #expect(try await subject.service.item(item.id).content == checked.content)
        #expect(try await subject.service.items(ItemQuery(state: .done)).items.count == 1)
      },
      Rule("an uncheck of an unchanged occurrence brings the item back exactly") { subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        subject.clock.advance(by: .seconds(60))
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let done = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        let unchecked = try await subject.service.uncheckItem(done.id, ifRevision: done.revision)
        #expect((unchecked.id, unchecked.content, unchecked.isDone) == (item.id, item.content, false))
        #expect(try await subject.service.items(ItemQuery()).items == [unchecked])
        let record = try #require(try await subject.service.history(HistoryQuery()).revisions.first)
        #expect(record.origin.reverted == nil)
        #expect(record.changes.first { $0.item == item.id }?.kind == .put(.unchecked))
        let undone = try await subject.service.revertRevision(record.revision)
        #expect(undone.revertedCount == 2)
        #expect(try await subject.service.item(item.id).content == checked.content)
        let redone = try await subject.service.revertRevision(undone.revision)
        #expect(redone.revertedCount == 2)
        let current = try await subject.service.item(item.id)
        #expect(current.content == item.content)
        #expect(try await subject.service.checkItem(item.id, ifRevision: current.revision).due == .on("2026-01-12"))
      },
      Rule("a repeated uncheck of an occurrence returns the item that repeats") { subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        _ = try await subject.service.checkItem(item.id, ifRevision: nil)
        let done = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        let unchecked = try await subject.service.uncheckItem(done.id, ifRevision: done.revision)
        #expect(try await subject.service.uncheckItem(done.id, ifRevision: done.revision) == unchecked)
        #expect(try await subject.service.uncheckItem(done.id, ifRevision: nil) == unchecked)
        await #expect(throws: ToDoError.itemNotFound(done.id)) {
          try await subject.service.uncheckItem(done.id, ifRevision: unchecked.revision)
        }
        // Another deletion does not count.
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let second = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        _ = try await subject.service.deleteItem(second.id, ifRevision: nil)
        await #expect(throws: ToDoError.itemNotFound(second.id)) {
          try await subject.service.uncheckItem(second.id, ifRevision: second.revision)
        }
        #expect(try await subject.service.item(item.id) == checked)
      },
      Rule("a check of an item that repeats is undone for both items or for neither") { subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        let checked = try await subject.service.checkItem(item.id, ifRevision: nil)
        let done = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        var edit = ItemEdit()
        edit.title = "Water the trees"
        let edited = try await subject.service.updateItem(done.id, edit, ifRevision: nil)
        let refused = try await subject.service.revertRevision(checked.revision)
        #expect((refused.revertedCount, refused.refusedCount) == (0, 2))
        #expect(refused.refusals.allSatisfy { $0.reason == .changedSince })
        #expect(try await subject.service.item(item.id) == checked)
        #expect(try await subject.service.item(done.id) == edited)
        _ = try await subject.service.revertRevision(edited.revision)
        let undone = try await subject.service.revertRevision(checked.revision)
        #expect(undone.revertedCount == 2)
        edit.title = "Water the roses"
        let renamed = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(try await subject.service.revertRevision(undone.revision).refusedCount == 2)
        #expect(try await subject.service.items(ItemQuery()).items == [renamed])
      },
      Rule("an uncheck of an occurrence makes it an ordinary item once either item has changed") {
        subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        subject.clock.advance(by: .seconds(60))
        _ = try await subject.service.checkItem(item.id, ifRevision: nil)
        let first = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        subject.clock.advance(by: .seconds(60))
        _ = try await subject.service.checkItem(item.id, ifRevision: nil)
        let unchecked = try await subject.service.uncheckItem(first.id, ifRevision: nil)
        #expect((unchecked.id, unchecked.isDone, unchecked.repetition) == (first.id, false, nil))
        #expect(try await subject.service.item(item.id).due == .on("2026-01-19"))
      },
      Rule("an uncheck that would duplicate an incomplete item is rejected for an occurrence, too") {
        subject async throws in
        let item = try await subject.add(.weekly(due: "2026-01-05"))
        subject.clock.advance(by: .seconds(60))
        _ = try await subject.service.checkItem(item.id, ifRevision: nil)
        let done = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        let other = try await subject.add("Water the plants", due: .on("2026-01-05"))
        await #expect(throws: ToDoError.duplicateItem(item.id, existing: other.id)) {
          try await subject.service.uncheckItem(done.id, ifRevision: nil)
        }
        let unchecked = try await subject.service.uncheckItem(done.id, ifRevision: nil, allowingDuplicate: true)
        #expect(unchecked.id == item.id)
      },
    ]
  }
}

extension ItemContent {
  fileprivate static func repeating(_ rule: Repetition.Rule, zone: String = "Europe/Berlin") -> ItemContent {
    ItemContent(title: "Water the plants", repetition: Repetition(rule, timeZone: zone))
  }

  fileprivate static func weekly(due: String, zone: String = "Europe/Berlin") -> ItemContent {
    var content = repeating(.calendar(RecurrenceRule(.weekly)), zone: zone)
    content.due = .on(due)
    return content
  }
}

extension DueDate {
  /// The due date on a day.
  fileprivate static func on(_ date: String) -> DueDate {
    guard let date = CalendarDate(date) else { preconditionFailure("\(date) is no date") }
    return .date(date)
  }
}
