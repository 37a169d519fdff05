import Testing
import ToDoModel
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport

@testable import todo

/// The options of `list` that select and order items. The time is Wednesday, 29 April 2026.
@Suite(.unitTimeLimited) struct ListFilterTests {
  let bench = TestBench()

  private func fill() async {
    await bench.run("add 'Pay the rent' --due yesterday")
    await bench.run("add 'Buy milk' --due 'today 23:00' --place 'Corner shop' --at 48.1,11.5")
    await bench.run("add 'Apply' --due today")
    await bench.run("add 'Water plants' --due 'next wed'")
    await bench.run("add 'Fly' --due 2027-01-03 --at 48.2,11.5")
    await bench.run("add 'Call Ann'")
  }

  private func titles(_ arguments: String) async -> [String] {
    let ids = await bench.run("list -q \(arguments)").output.split(separator: "\n")
    var titles: [String] = []
    for id in ids { titles.append(String(await bench.run("show \(id)").output.prefix { $0 != "\n" })) }
    return titles
  }

  @Test(
    arguments: [
      ("--due overdue --or --place shop", ["Pay the rent", "Buy milk"]),
      ("--due overdue --or --place shop --sort title", ["Buy milk", "Pay the rent"]),
      ("milk --or fly --or --due=none", ["Buy milk", "Fly", "Call Ann"]),
      ("--due today --no-text milk --or --search rent", ["Pay the rent", "Apply"]),
      ("--no-text 'a'", ["Buy milk", "Fly"]), ("fly --no-text rent", ["Fly"]),
      ("--due week --or --due none --reverse", ["Call Ann", "Water plants", "Apply", "Buy milk"]),
      ("nothing --or -- fly", ["Fly"]), ("--tag x --or --tag y", []),
    ] as [(String, [String])])
  func or_selectsItemsOfEachGroup(_ options: String, _ expected: [String]) async {
    await fill()
    #expect(await titles(options) == expected)
  }

  @Test(
    arguments: [
      ("--not --due overdue --not milk", ["Apply", "Water plants", "Fly", "Call Ann"]),
      ("--not --due=none --not --place shop --due week", ["Apply", "Water plants"]),
      ("--not --no-text rent", ["Pay the rent"]),
      ("--due today --not milk --or --due overdue --not --search rent", ["Apply"]),
      ("--due overdue --or --not a", ["Pay the rent", "Buy milk", "Fly"]),
    ] as [(String, [String])])
  func not_leavesOutItemsOfOneFilter(_ options: String, _ expected: [String]) async {
    await fill()
    #expect(await titles(options) == expected)
  }

  @Test(arguments: [
    "list --not", "list milk --not", "list --not --json", "list --not --not milk", "list --not --tag ''",
    "list --not ''",
    "list --not --place ' '", "list --not --due", "list --not=milk", "add milk --not fly", "list --not -- milk",
    "list --not a --not b --not c --not d --not e", "list a --or --not", "check 1 --not --tag a",
    "list --not --waiting",
  ])
  func not_withoutAFilter_isRejected(_ line: String) async {
    await fill()
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(!run.error.contains("none-of"), "\(run.error)")
  }

  @Test func check_leavesOutItems() async {
    await fill()
    await bench.run("check --due week --not --place shop --not water")
    #expect(Set(await titles("--done")) == ["Apply"])
  }

  @Test(arguments: [
    "list --or", "list milk --or", "list --or milk", "list milk --or --or fly",
    "list milk --or --tag ''",
    "list milk --or --place ' '", "list --no-text ''",
    "list a --or b --or c --or d --or e --or f --or g --or h --or i",
    "list milk --or --waiting", "check 1 --or --tag a",
    "check --tag a --or",
    "list --or=3 a", "add milk --or fly",
  ])
  func or_withoutTwoGroups_isRejected(_ line: String) async {
    await fill()
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(!run.error.contains("any-of"))
  }

  @Test func check_checksItemsOfEachGroup() async {
    await fill()
    await bench.run("check --due overdue --or --place shop --no-text bread --or water")
    #expect(Set(await titles("--done")) == ["Pay the rent", "Buy milk", "Water plants"])
  }

  @Test(arguments: [
    ("overdue", ["Pay the rent"]), ("today", ["Buy milk", "Apply"]), ("week", ["Buy milk", "Apply", "Water plants"]),
    ("none", ["Call Ann"]), ("'before tomorrow'", ["Pay the rent", "Buy milk", "Apply"]),
    ("'before today 23:00'", ["Pay the rent"]), ("yesterday", ["Pay the rent"]),
    (
      "'Before 2027-01-03'",
      [
        "Pay the rent", "Buy milk", "Apply", "Water plants",
      ]
    ), ("2027-01-03", ["Fly"]),
  ])
  func due_selectsItems(_ when: String, _ expected: [String]) async {
    await fill()
    #expect(await titles("--due \(when)") == expected)
  }

  @Test(arguments: [
    ("someday", "'someday' is not a date or time"),
    ("'today 17:00'", "'today 17:00' is a time, not a day; use a day, weekend"),
    ("before", "'--due before' needs a date or time"), ("'before someday'", "'before someday' is not a date or time"),
  ])
  func due_whenInvalid_isRejected(_ when: String, _ message: String) async {
    let run = await bench.run("list --due \(when)")
    #expect(run.status == .usage)
    #expect(run.error.contains(message))
  }

  /// Today is Tuesday, 24 November 2026.
  @Test(
    arguments: [
      ("weekend", ["28 Nov", "29 Nov"]), ("'this weekend'", ["28 Nov", "29 Nov"]), ("'next weekend'", []),
      ("'next week'", ["30 Nov", "2 Dec"]), ("'this week'", ["24 Nov", "28 Nov", "29 Nov"]),
      ("week", ["24 Nov", "28 Nov", "29 Nov", "30 Nov"]), ("'next month'", ["2 Dec", "20 Dec"]),
      ("'this month'", ["24 Nov", "28 Nov", "29 Nov", "30 Nov"]), ("'next year'", []),
      ("'this year'", ["24 Nov", "28 Nov", "29 Nov", "30 Nov", "2 Dec", "20 Dec"]), ("'last week'", []),
      ("'after 29 nov'", ["30 Nov", "2 Dec", "20 Dec"]), ("'after next week'", ["20 Dec"]),
      ("'after 30 nov 12:00'", ["30 Nov", "2 Dec", "20 Dec"]), ("'after 30 nov 18:00'", ["2 Dec", "20 Dec"]),
      ("'before weekend'", ["24 Nov"]), ("'before 30 nov'", ["24 Nov", "28 Nov", "29 Nov"]),
      ("'before 30 nov 18:00'", ["24 Nov", "28 Nov", "29 Nov", "30 Nov"]), ("mon..fri", ["30 Nov", "2 Dec"]),
      ("'28 nov..3 dec'", ["28 Nov", "29 Nov", "30 Nov", "2 Dec"]), ("'28 nov .. 29 nov'", ["28 Nov", "29 Nov"]),
      ("'30 nov..'", ["30 Nov", "2 Dec", "20 Dec"]), ("..sat", ["24 Nov", "28 Nov"]),
      ("'mon to fri'", ["30 Nov", "2 Dec"]),
      ("'sat - mon'", ["28 Nov", "29 Nov", "30 Nov"]), ("'after 29 nov..'", nil), ("'fri..mon..tue'", nil), ("..", nil),
    ] as [(String, [String]?)])
  func due_whenSpan_selectsAllItsDays(_ when: String, _ expected: [String]?) async throws {
    let start = try #require(Timestamp("2026-11-24T09:00:00Z"))
    bench.clock.advance(by: .microseconds(start.microseconds - TestBench.start.microseconds))
    for due in ["24 Nov", "28 Nov", "29 Nov", "2 Dec", "20 Dec"] { await bench.run("add '\(due)' --due '\(due)'") }
    await bench.run("add '30 Nov' --due '30 nov 17:00'")
    let run = await bench.run("list --due \(when)")
    guard let expected else { return #expect(run.status == .usage) }
    let titles = ["24 Nov", "28 Nov", "29 Nov", "30 Nov", "2 Dec", "20 Dec"].filter { run.output.contains(" \($0) ") }
    #expect(titles == expected, "\(run.output)")
    #expect(await bench.run("check -q --due \(when)").output.split(separator: "\n").count == expected.count)
  }

  @Test func placeAndText_selectItems() async {
    await fill()
    #expect(await titles("--place 'corner SHOP'") == ["Buy milk"])
    #expect(await titles("milk") == ["Buy milk"])
    #expect(await titles("pay the") == ["Pay the rent"])
    #expect(await titles("--due today --place shop milk") == ["Buy milk"])
    #expect(await bench.run("list --place Nowhere").error.contains("No item matches."))
    #expect(await bench.run("list milk --search milk").status == .usage)
  }

  @Test(arguments: ["list --at shop -q", "list -q --at shop milk"]) func at_whenText_stillSelectsItems(_ line: String)
    async
  {
    await fill()
    #expect(await bench.run(line) == .init(status: .success, output: "\(TestBench.id(2))\n", error: ""))
    let notice = "'--at' is now '--place' here; '--at' will be a coordinate in every command.\n"
    #expect(await bench.run("list --at shop").error == notice)
    let check = await bench.run("check --at shop")
    #expect(check.output.hasPrefix("Checked 2: Buy milk"))
    #expect(check.error == notice)
  }

  @Test func at_whenCoordinateOrBesidesPlace_isRejected() async {
    let run = await bench.run("list --at 48.1,11.5")
    #expect(run.status == .usage)
    #expect(run.error.contains("'todo near 48.1,11.5' lists those near a coordinate"))
    #expect(await bench.run("list --at shop --place shop").error.contains("'--at' is the former name of '--place'"))
  }

  @Test func sort_byDistance_showsDistances() async {
    await fill()
    bench.change { ($0.environment["TODO_PLACE"], $0.environment["COLUMNS"]) = ("48.21,11.5", "80") }
    let lines = await bench.run("list --sort distance").output.split(separator: "\n")
    #expect(lines[1] == "  5  1.1 km  Fly           2027-01-03   48.2,11.5")
    #expect(lines[2] == "  2  12 km   Buy milk      today 23:00  Corner shop @")
    #expect(lines[3].hasPrefix("! 1          Pay the rent"))
  }

  /// As in `todo near`, an item that may be anywhere in a town comes before the others.
  @Test func sort_byDistance_agreesWithNear() async {
    let bench = TestBench(geocoder: MockGeocoder())
    bench.change { $0.environment["TODO_PLACE"] = "48.147,11.5755" }
    await bench.run("add Swim --at 48.1374,11.5755")
    await bench.run("add Visit --address 'Barer Str. 27, München'")
    #expect(await bench.run("list --sort distance -q").output == bench.run("near -q").output)
    #expect(await bench.run("list --sort distance").output.contains("  2  < 5 km  Visit"))
  }

  @Test func sort_ordersItems() async {
    await fill()
    #expect(await titles("--sort title") == ["Apply", "Buy milk", "Call Ann", "Fly", "Pay the rent", "Water plants"])
    #expect(await titles("--sort created").prefix(2) == ["Pay the rent", "Buy milk"])
    await bench.run("edit 6 --note Birthday")
    #expect(await titles("--sort updated").first == "Call Ann")
    #expect(await titles("--sort due").first == "Pay the rent")
    let run = await bench.run("list --sort distance")
    #expect(run.status == .usage)
    #expect(run.error.contains("set TODO_PLACE"))
    bench.change { $0.environment["TODO_PLACE"] = "48.21,11.5" }
    #expect(await titles("--sort distance").prefix(2) == ["Fly", "Buy milk"])
    #expect(await bench.run("list --sort size").status == .usage)
  }
}
