import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct LogCommandTests {
  let bench = TestBench()

  private static func record(_ revision: Int64, changes count: Int, _ origin: ChangeOrigin) -> RevisionRecord {
    let changes = (1...count).map { number in
      RecordedChange(
        item: TestBench.id(UInt64(number)), number: ItemNumber(Int64(number)), title: "Item", kind: .deleted)
    }
    return RevisionRecord(
      revision: Revision(revision), time: TestBench.start, origin: origin, isOwn: true, changes: changes,
      changeCount: count)
  }

  private func makeBench(_ records: RevisionRecord...) -> TestBench {
    TestBench(service: FailingService(revisions: { _ in HistoryPage(revisions: records, hasMore: false) }))
  }

  @Test func log_listsChanges_latestFirst() async {
    await bench.run("add Milk")
    await bench.run("edit 1 --title \u{1B}Tea")
    await bench.run("check 1")
    bench.clock.advance(by: .seconds(18))
    await bench.run("uncheck 1")
    await bench.run("delete 1")
    await bench.run("undo")
    await bench.run("delete 1")
    await bench.run("restore 1")
    let lines = await bench.run("log").output.split(separator: "\n")
    #expect(
      lines == [
        "8  today 10:16     Restored 1: \\u{1B}Tea",
        "7  today 10:16     Deleted 1: \\u{1B}Tea",
        "6  today 10:16     Restored 1: \\u{1B}Tea (undo)",
        "5  today 10:16     Deleted 1: \\u{1B}Tea",
        "4  today 10:16     Unchecked 1: \\u{1B}Tea",
        "3  today 10:15:42  Checked 1: \\u{1B}Tea",
        "2  today 10:15:42  Edited 1: \\u{1B}Tea",
        "                     title  Milk → \\u{1B}Tea",
        "1  today 10:15:42  Added 1: Milk",
      ])
  }

  @Test func log_ofReversal_printsWhatItDid() async {
    for line in ["add Milk", "edit 1 --title Tea", "undo", "redo", "check 1", "undo"] { await bench.run(line) }
    #expect(
      await bench.run("log").output == """
        6  today 10:15:42  Unchecked 1: Tea (undo)
        5  today 10:15:42  Checked 1: Tea
        4  today 10:15:42  Edited 1: Tea (redo)
                             title  Milk → Tea
        3  today 10:15:42  Edited 1: Milk (undo)
                             title  Tea → Milk
        2  today 10:15:42  Edited 1: Tea
                             title  Milk → Tea
        1  today 10:15:42  Added 1: Milk

        """)
  }

  @Test func log_ofReversal_whenFormerStateIsUnknown_saysThatTheItemWasChangedBack() async {
    var record = Self.record(9, changes: 1, ChangeOrigin(reverted: Revision(7)))
    record.changes[0].kind = .put(.reverted)
    #expect(await makeBench(record).run("log").output == "9  today 10:15:42  Changed back 1: Item (undo)\n")
  }

  private static let fields = [
    FieldChange(.title, from: .text("Buy milk"), to: .text("Buy bread")),
    FieldChange(.itemDescription, from: nil, to: .text("2 %\nor \"less\"")),
    FieldChange(.due, from: .due(.time(TestBench.start)), to: .due(.date(CalendarDate(daysSinceEpoch: 20_573)))),
    FieldChange(.placeName, from: .text("Rewe"), to: nil), FieldChange(.address, from: .text("Markt 1"), to: nil),
    FieldChange(.coordinate, from: Coordinate(latitude: 48, longitude: 11).map(FieldChange.Value.coordinate), to: nil),
    FieldChange(.done, from: .done(true), to: .done(false)),
  ]

  private func makeBench(fields: [FieldChange]) -> TestBench {
    var record = Self.record(9, changes: 1, ChangeOrigin(user: "ann"))
    (record.changes[0].kind, record.changes[0].fields) = (.put(.edited), fields)
    return makeBench(record)
  }

  @Test func fields_arePrintedWithFormerAndNewValues() async {
    #expect(
      await makeBench(fields: Self.fields).run("log").output == """
        9  today 10:15:42  Edited 1: Item  by ann
                             title       Buy milk → Buy bread
                             note        none → '2 % or "less"'
                             due         today 10:15:42 → tomorrow
                             place       Rewe → none
                             address     Markt 1 → none
                             coordinate  48.0,11.0 → none
                             done        yes → no

        """)
  }

  @Test(arguments: [
    ("PT1H", "1h before"), ("P1D 18:00 Europe/Berlin; arriving", "day before 18:00, on arriving"),
    ("PT1H acknowledged 2026-04-29T08:00:00Z", "1h before (told: today 10:00)"),
    (
      "PT1H acknowledged 2026-04-29T08:00:00Z snoozed to 2026-04-29T09:00:00Z",
      "1h before (snoozed until today 11:00)"
    ),
    ("PT1H snoozed to 2026-04-29T09:00:00Z", "1h before (snoozed until today 11:00)"),
    ("2026-04-29T09:00:00Z", "today 11:00"),
    ("…D 18:00; PT2H; P1D 18:00 Euro…", "…D 18:00, 2h before, P1D 18:00 Euro…"),
    ("PT1H acknowledged soon; later \u{1B}", "PT1H acknowledged soon, later \\u{1B}"),
  ])
  func reminders_arePrintedInWords(_ value: String, _ text: String) async {
    let change = FieldChange(.reminders, from: nil, to: .text(value))
    #expect(await makeBench(fields: [change]).run("log").output.hasSuffix("  remind  none → \(text)\n"))
  }

  @Test func fields_whenJSON_haveTheFormOfItems() async {
    let output = await makeBench(fields: Self.fields).run("log --json").output
    for text in [
      #""field": "title", "from": "Buy milk", "to": "Buy bread""#, #""field": "note", "from": null,"#,
      #""field": "due", "from": "2026-04-29T08:15:42Z", "to": "2026-04-30""#,
      #""field": "location.coordinate", "from": { "latitude": 48.0, "longitude": 11.0 }, "to": null"#,
      #""field": "done", "from": true, "to": false"#,
    ] {
      #expect(output.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(text))
    }
  }

  @Test func fields_onTerminal_showBothValues() async {
    let long = FieldChange(.title, from: .text(String(repeating: "a", count: 90)), to: .text("bread"))
    let bench = makeBench(fields: [long])
    for columns in 40...80 {
      bench.change { ($0.isInteractive, $0.columns, $0.environment["NO_COLOR"]) = (true, columns, "1") }
      let lines = await bench.run("log").output.split(separator: "\n")
      #expect(lines.last?.count == columns)
      #expect(lines.last?.hasSuffix("… → bread") == true)
    }
  }

  @Test(arguments: [
    ("log 2", ["3", "2"]), ("log rent", ["3", "2"]), ("log 1", ["4", "1"]), ("log --limit 2", ["4", "3"]),
    ("log 2 --limit 1", ["3"]),
  ])
  func log_ofItemOrWithLimit_listsItsRevisions(_ line: String, _ revisions: [String]) async {
    await bench.run("add Milk")
    await bench.run("add Rent")
    await bench.run("check 2")
    await bench.run("delete 1")
    let lines = await bench.run(line).output.split(separator: "\n")
    #expect(lines.map { String($0.prefix { $0 != " " }) } == revisions)
  }

  @Test func origin_isPrintedAsFarAsItIsKnown() async {
    let bench = makeBench(
      Self.record(12, changes: 1, ChangeOrigin(user: "ann", client: "todo/0.1.0 \u{1B}laptop", reverted: Revision(7))),
      Self.record(9, changes: 1, ChangeOrigin(user: "ann")),
      Self.record(8, changes: 1, ChangeOrigin(client: "curl")))
    #expect(
      await bench.run("log").output == """
        12  today 10:15:42  Deleted 1: Item (undo)  by ann, todo/0.1.0 \\u{1B}laptop
         9  today 10:15:42  Deleted 1: Item  by ann
         8  today 10:15:42  Deleted 1: Item  curl

        """)
  }

  @Test func changes_ofOneRevision_areTruncatedAfterThree() async {
    let bench = makeBench(Self.record(9, changes: 5, ChangeOrigin(user: "ann")))
    #expect(
      await bench.run("log").output == """
        9  today 10:15:42  Deleted 1: Item  by ann
                           Deleted 2: Item
                           Deleted 3: Item
                           and 2 more

        """)
    #expect(await bench.run("log -q").output.split(separator: "\n").count == 5)
  }

  @Test func item_whenNoLongerKnown_isPrintedByID() async {
    var record = Self.record(9, changes: 1, ChangeOrigin())
    record.changes[0].number = nil
    record.changes[0].title = nil
    #expect(await makeBench(record).run("log").output == "9  today 10:15:42  Deleted 0198c0de-0001\n")
  }

  @Test func lines_onTerminal_fitItsWidth() async {
    let bench = makeBench(Self.record(9, changes: 5, ChangeOrigin(user: "ann", client: "todo/0.1.0 laptop")))
    for columns in 24...60 {
      bench.change { ($0.isInteractive, $0.columns, $0.environment["NO_COLOR"]) = (true, columns, "1") }
      let lines = await bench.run("log").output.split(separator: "\n")
      #expect((4...5).contains(lines.count))
      #expect(columns < 25 || lines.prefix(2).joined().contains("by ann"))
      #expect(lines.allSatisfy { $0.count <= columns })
    }
  }

  @Test func log_whenJSON_printsRevisions() async {
    await bench.run("add Milk")
    #expect(
      await bench.run("log --json").output == """
        {
          "revisions": [
            {
              "revision": 1,
              "time": "2026-04-29T08:15:42Z",
              "user": null,
              "client": null,
              "own": true,
              "revertedRevision": null,
              "movedList": null,
              "movedListRevision": null,
              "changes": [
                {
                  "id": "\(TestBench.id(1))",
                  "number": 1,
                  "title": "Milk",
                  "change": "added",
                  "fields": []
                }
              ],
              "changeCount": 1
            }
          ]
        }

        """)
  }

  @Test func log_whenNothingChanged_printsNotice() async {
    #expect(await bench.run("log") == .init(status: .success, output: "", error: "The history is empty.\n"))
    #expect(await bench.run("log --json").output == "{\n  \"revisions\": []\n}\n")
  }

  @Test func log_ofUnknownItem_isNotFound() async {
    await bench.run("add Milk")
    #expect(
      await bench.run("log 7")
        == .init(
          status: .notFound, output: "", error: "Error: no item has the number 7; 'todo list' prints the numbers\n"))
  }

  @Test(arguments: ["log --limit 0", "log --limit x", "log 1 2", "log 1-2"])
  func arguments_whenInvalid_areUsageErrors(_ line: String) async {
    await bench.run("add Milk")
    await bench.run("add Rent")
    #expect(await bench.run(line).status == .usage)
  }

  @Test func log_whenTheLimitCutsOffWhatWasReverted_printsWhetherItWasUndone() async {
    for line in ["add Milk", "edit 1 --title Tea", "undo", "redo"] { await bench.run(line) }
    #expect(await bench.run("log --limit 1").output.hasPrefix("4  today 10:15:42  Edited 1: Tea (redo)\n"))
    #expect(await bench.run("log --limit 2").output.contains("  Edited 1: Milk (undo)\n"))
  }
}
