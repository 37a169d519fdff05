import Foundation
import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo today` over several lists.
@Suite(.unitTimeLimited) struct TodayListTests {
  private let bench = TestBench()

  private func fill() async {
    await bench.run("lists create Work")
    await bench.run("add Milk --due tomorrow")
    await bench.run("add Report --due today -L work")
    await bench.run("add Slides --due 'tomorrow 9:00' -L work")
    await bench.run("add Rent --due today")
    await bench.run("add Filed -L work")
    await bench.run("check work/3")
  }

  @Test func today_showsItemsOfAllListsByDueDate() async {
    await fill()
    bench.change { $0.environment["COLUMNS"] = "80" }
    #expect(
      await bench.run("today").output == """
        Today (2)
          Work/1  Report  today
               2  Rent    today

        Next seven days (2)
          Work/2  Slides  tomorrow 09:00
               1  Milk    tomorrow

        1 done this week

        """)
  }

  @Test func ids_ofToday_areOfOneList() async {
    await fill()
    let ids = await bench.run("today -q").output.split(separator: "\n")
    #expect(ids.count == 2)
    let checked = await bench.run("check \(ids.joined(separator: " "))")
    #expect(checked.status == .success)
    #expect(checked.output.contains("Rent") && checked.output.contains("Milk"), "\(checked)")
    bench.change { $0.environment["TODO_LIST"] = "work" }
    #expect(await bench.run("today -q").output.split(separator: "\n").count == 2)
  }

  @Test func today_whenListIsInUse_showsAllLists() async {
    await fill()
    bench.change { $0.environment["TODO_LIST"] = "work" }
    let output = await bench.run("today").output
    #expect(output.contains("  1  Report"))
    #expect(output.contains("Inbox/2  Rent"))
    let json = await bench.run("today --json").output
    #expect(json.components(separatedBy: "\"name\": \"Work\"").count == 3)
    #expect(!json.contains("\"name\": \"Inbox\""))
  }

  /// An import into a list keeps the IDs of the items.
  @Test func today_whenTwoListsHaveItemsWithOneID_namesBothListsRight() async throws {
    await bench.run("add Milk --due today")
    await bench.run("lists create Work")
    let work = try #require(try await bench.lists.lists().lists.first { $0.name == "Work" })
    var content = try await bench.service.item(TestBench.id(1)).content
    content.title = "Report"
    content.due = .date(try #require(CalendarDate("2026-04-30")))
    _ = try await bench.lists.items(in: work.id).addItem(NewItem(id: TestBench.id(1), content: content))
    bench.change { $0.environment["COLUMNS"] = "80" }
    #expect(
      await bench.run("today").output == """
        Today (1)
               1  Milk    today

        Next seven days (1)
          Work/1  Report  tomorrow

        """)
    let json = await bench.run("today --json").output.components(separatedBy: "\"nextSevenDays\"")
    #expect(json.first?.contains("Milk") == true && json.first?.contains("Work") == false, "\(json)")
    #expect(json.last?.contains("\"name\": \"Work\"") == true, "\(json)")
    bench.change { $0.environment["TODO_LIST"] = "work" }
    let output = await bench.run("today").output
    #expect(output.contains("Inbox/1  Milk") && output.contains("  1  Report"), "\(output)")
  }

  @Test func today_withOption_showsOneList() async {
    await fill()
    let work = await bench.run("today -L work").output
    #expect(work.contains("Work/1  Report") && !work.contains("Rent"))
    #expect(work.hasSuffix("\n1 done this week\n"))
    #expect(await !bench.run("today -L inbox").output.contains("Report"))
  }
}
