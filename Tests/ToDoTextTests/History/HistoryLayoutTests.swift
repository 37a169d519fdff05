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
}
