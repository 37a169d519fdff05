import Testing
import ToDoModel

extension ServiceContract {
  private static let due = DueDate.time(Timestamp(microseconds: 1_770_000_000_000_000))
  private static let hour = Reminder(.before(seconds: 3600))
  private static let all = [
    hour, Reminder(.time(Timestamp(microseconds: 1_769_000_000_000_001))),
    Reminder(.day(.init(daysBefore: 1, minuteOfDay: 1080, timeZone: "Europe/Berlin"))),
    Reminder(.day(.init(daysBefore: 0, minuteOfDay: 0))), Reminder(.arriving), Reminder(.leaving),
    Reminder(
      .before(seconds: 0), acknowledged: Timestamp(microseconds: 1), snoozedUntil: Timestamp(microseconds: -1)),
    Reminder(.before(seconds: Reminder.Limits.seconds), snoozedUntil: Timestamp(microseconds: 2)),
  ]

  static var reminders: [Rule] {
    [
      Rule("reminders of every kind keep their order and states") { subject async throws in
        let content = ItemContent(title: "Trip", due: due, location: Location(name: "Station"), reminders: all)
        let item = try await subject.add(content)
        #expect(item.reminders == all)
        #expect(try await subject.service.item(item.id).reminders == all)
        #expect(try await subject.service.items(ItemQuery()).items.map(\.reminders) == [all])
      },
      Rule("an edit replaces all reminders and leaves every other field, and an undo brings them back") {
        subject async throws in
        let item = try await subject.add(.full)
        var edit = ItemEdit()
        edit.reminders = [hour]
        var expected = item.content
        expected.reminders = [hour]
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).content == expected)
        (edit.reminders, expected.reminders) = ([], [])
        let cleared = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(cleared.content == expected)
        _ = try await subject.service.revertRevision(cleared.revision)
        #expect(try await subject.service.item(item.id).reminders == [hour])
        let fields = try await subject.service.history(HistoryQuery()).revisions[1].changes.first?.fields
        #expect(fields == [FieldChange(.reminders, from: .text("PT1H"), to: nil)])
      },
      Rule("of two that acknowledge a reminder at a revision, one succeeds") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Trip", due: due, reminders: [hour]))
        var edit = ItemEdit()
        edit.reminders = [Reminder(hour.trigger, acknowledged: Timestamp(microseconds: 1_769_996_400_000_000))]
        let told = try await subject.service.updateItem(item.id, edit, ifRevision: item.revision)
        #expect(told.reminders == edit.reminders)
        edit.reminders = [Reminder(hour.trigger, acknowledged: Timestamp(microseconds: 3))]
        await #expect(throws: ToDoError.revisionMismatch(item.id, current: told.revision)) {
          try await subject.service.updateItem(item.id, edit, ifRevision: item.revision)
        }
      },
      Rule("reminders do not distinguish duplicates") { subject async throws in
        let item = try await subject.add("Milk")
        let again = subject.newItem(ItemContent(title: "Milk", reminders: [all[1]]))
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: item.id)) {
          try await subject.service.addItem(again)
        }
      },
      Rule("an item that moves on keeps the reminders that are relative to its due date, without their states") {
        subject async throws in
        var content = ItemContent(title: "Bins", due: due, repetition: Repetition(.calendar(RecurrenceRule(.weekly))))
        content.reminders = [Reminder(hour.trigger, acknowledged: Timestamp(microseconds: 1)), all[1], all[2]]
        let item = try await subject.add(content)
        let moved = try await subject.service.checkItem(item.id, ifRevision: nil)
        #expect(moved.due != item.due && moved.reminders == [hour, all[2]])
        let done = try #require(try await subject.service.items(ItemQuery(state: .done)).items.first)
        #expect(done.reminders == content.reminders)
      },
      Rule("invalid reminders are rejected with their fields, also if the due date goes") {
        subject async throws in
        await expectViolations(of: ["item.reminders[0].seconds_before", "item.reminders[1].place"]) {
          try await subject.add(ItemContent(title: "Trip", reminders: [hour, Reminder(.arriving), all[1]]))
        }
        await expectViolations(of: ["item.reminders"]) {
          try await subject.add(ItemContent(title: "Trip", due: due, reminders: Array(repeating: hour, count: 9)))
        }
        let nowhere = Reminder(.day(.init(daysBefore: 0, minuteOfDay: 0, timeZone: "Europe/Nowhere")))
        await expectViolations(of: ["item.reminders[1].day.time_zone"]) {
          try await subject.add(ItemContent(title: "Trip", due: due, reminders: [hour, nowhere]))
        }
        let item = try await subject.add(ItemContent(title: "Trip", due: due, reminders: [hour]))
        var edit = ItemEdit()
        edit.reminders = [nowhere]
        await expectViolations(of: ["item.reminders[0].day.time_zone"]) {
          try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        }
        edit = ItemEdit()
        edit.due = .clear
        await expectViolations(of: ["item.reminders[0].seconds_before"]) {
          try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        }
        edit.reminders = []
        #expect(try await subject.service.updateItem(item.id, edit, ifRevision: nil).due == nil)
      },
    ]
  }
}
