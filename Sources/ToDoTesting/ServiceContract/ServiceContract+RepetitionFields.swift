import Testing
import ToDoModel

extension ServiceContract {
  private static let due = DueDate.date(CalendarDate(daysSinceEpoch: 20_600))
  private static let weekly = Repetition(.calendar(RecurrenceRule(.weekly, interval: 2)), missedCount: 3)

  static var repetitionFields: [Rule] {
    [
      Rule("a repetition is kept, and its rule counts from the due date unless it has a start") {
        subject async throws in
        var expected = weekly
        expected.start = due
        let item = try await subject.add(ItemContent(title: "Bins", due: due, repetition: weekly))
        #expect(item.repetition == expected)
        #expect(try await subject.service.item(item.id).repetition == expected)
        expected.start = .date(CalendarDate(daysSinceEpoch: 20_500))
        let other = try await subject.add(ItemContent(title: "Paper", due: due, repetition: expected))
        #expect(other.repetition == expected)
      },
      Rule("a repetition after the item was done needs no due date, and has no start") { subject async throws in
        var repetition = Repetition(.afterDone(.init(3, .monthly)), start: due)
        let item = try await subject.add(ItemContent(title: "Filter", repetition: repetition))
        repetition.start = nil
        #expect(item.repetition == repetition)
      },
      Rule("an edit sets and clears the repetition, and an undo brings it back") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Bins", due: due))
        var edit = ItemEdit()
        edit.repetition = .set(weekly)
        let repeating = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(repeating.repetition?.start == due)
        edit.repetition = .clear
        let cleared = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(cleared.repetition == nil)
        _ = try await subject.service.revertRevision(cleared.revision)
        #expect(try await subject.service.item(item.id).content == repeating.content)
        let fields = try await subject.service.history(HistoryQuery()).revisions[1].changes.first?.fields
        #expect(fields == [FieldChange(.repetition, from: .text("FREQ=WEEKLY;INTERVAL=2"), to: nil)])
      },
      Rule("an edit of the due date leaves the start of the rule") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Bins", due: due, repetition: weekly))
        var edit = ItemEdit()
        edit.due = .set(.date(CalendarDate(daysSinceEpoch: 20_601)))
        let edited = try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        #expect(edited.repetition?.rule == item.repetition?.rule)
        #expect(edited.repetition?.start == item.repetition?.start)
      },
      Rule("a repetition does not distinguish duplicates") { subject async throws in
        let item = try await subject.add(ItemContent(title: "Bins", due: due))
        let again = subject.newItem(ItemContent(title: "Bins", due: due, repetition: weekly))
        await #expect(throws: ToDoError.duplicateItem(again.id, existing: item.id)) {
          try await subject.service.addItem(again)
        }
      },
      Rule("an invalid repetition is rejected with its fields") { subject async throws in
        await expectViolations(of: ["item.repetition"]) {
          try await subject.add(ItemContent(title: "Bins", repetition: weekly))
        }
        var wrong = Repetition(.afterDone(.init(1000, .daily)), missedCount: -1)
        wrong.timeZone = String(repeating: "z", count: ItemContent.Limits.timeZone + 1)
        let fields = ["after_done.count", "missed_count", "time_zone"].map { "item.repetition.\($0)" }
        await expectViolations(of: fields) {
          try await subject.add(ItemContent(title: "Bins", due: due, repetition: wrong))
        }
        let item = try await subject.add(ItemContent(title: "Bins", due: due, repetition: weekly))
        var edit = ItemEdit()
        edit.due = .clear
        await expectViolations(of: ["item.repetition"]) {
          try await subject.service.updateItem(item.id, edit, ifRevision: nil)
        }
      },
    ]
  }
}
