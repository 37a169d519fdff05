import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoText

/// The revisions of a list as text.
@Suite struct HistoryLayoutTests {
  private func line(movedTo list: ListID, by user: String, isOwn: Bool) -> String {
    let record = RevisionRecord(
      revision: Revision(7), time: Sample.start,
      origin: ChangeOrigin(user: user, moved: ListMove(list: list, revision: Revision(1))), isOwn: isOwn,
      changes: [RecordedChange(item: Sample.id(1), number: ItemNumber(1), title: "Report", kind: .deleted)],
      changeCount: 1)
    let layout = HistoryLayout(
      records: [record], lists: [.default: "Inbox", Sample.list(1): "Work"],
      today: CalendarDate(year: 2026, month: 4, day: 29) ?? .epoch, zone: CentralEuropeanZone(), columns: nil)
    return layout.lines.map(\.text).joined(separator: "\n")
  }

  @Test func move_namesOtherList_andWhoseDefaultListItIs() {
    #expect(line(movedTo: .default, by: "ann", isOwn: true) == "7  today 10:15:42  Moved 1 to Inbox: Report  by ann")
    #expect(
      line(movedTo: .default, by: "bob", isOwn: false)
        == "7  today 10:15:42  Moved 1 to bob's default list: Report  by bob")
    #expect(
      line(movedTo: Sample.list(1), by: "bob", isOwn: false) == "7  today 10:15:42  Moved 1 to Work: Report  by bob")
    // Without users, all have the same default list.
    #expect(line(movedTo: .default, by: "", isOwn: false) == "7  today 10:15:42  Moved 1 to Inbox: Report")
  }

  /// Returns the lines of a revision that added `Buy milk` and set its note.
  private func lines(by user: String, _ client: String = "", columns: Int?) -> [String] {
    let note = FieldChange(.itemDescription, from: nil, to: .text("2 l"))
    let record = RevisionRecord(
      revision: Revision(7), time: Sample.start, origin: ChangeOrigin(user: user, client: client), isOwn: true,
      changes: [
        RecordedChange(
          item: Sample.id(1), number: ItemNumber(12), title: "Buy milk", kind: .put(.added), fields: [note])
      ], changeCount: 1)
    return HistoryLayout(
      records: [record], today: CalendarDate(year: 2026, month: 4, day: 29) ?? .epoch, zone: CentralEuropeanZone(),
      columns: columns
    ).lines.map(\.text)
  }

  @Test(
    arguments: [
      (nil, "  by ann, todo/0.1.0"), (57, "  by ann, todo/0.1.0"), (56, "  by ann, todo/0.1…"), (47, "  by ann,…"),
      (46, "  by ann"), (45, "  by ann"),
    ] as [(Int?, String)])
  func origin_whenNarrow_keepsTheUser(_ columns: Int?, _ origin: String) {
    let lines = lines(by: "ann", "todo/0.1.0", columns: columns)
    #expect(lines[0] == "7  today 10:15:42  Added 12: Buy milk" + origin)
    #expect(lines.count == 2)
  }

  @Test func user_whenNarrower_isBelowTheChange() {
    let start = "7  today 10:15:42  Added 12: "
    let indent = String(repeating: " ", count: 19)
    #expect(lines(by: "ann", columns: 40).prefix(2) == [start + "Buy milk", indent + "by ann"])
    #expect(lines(by: "annabelle-maria", columns: 36).prefix(2) == [start + "Buy mi…", indent + "by annabelle-mar…"])
    // Nobody is named where nobody is known.
    #expect(lines(by: "", "todo/0.1.0", columns: 40)[1].contains("note"))
  }
}
