import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct ListCommandTests {
  let bench = TestBench()

  /// Adds five items, one of which is done, and sets the width of the output.
  private func fill() async {
    bench.change { $0.environment["COLUMNS"] = "80" }
    await bench.run("add 'Buy milk' --due 'today 17:00' --place 'Corner shop'")
    await bench.run("add 'Pay the rent' --due yesterday")
    await bench.run("add 牛乳を買う --due 2027-01-03")
    await bench.run("add 'Call Ann'")
    await bench.run("add 'Water plants' --due fri")
    await bench.run("check 4")
  }

  private static let listing = """
    To do (4)
    ! 2  Pay the rent  yesterday
      1  Buy milk      today 17:00  Corner shop
      5  Water plants  Fri 1 May
      3  牛乳を買う    2027-01-03

    Done (1)
      4  Call Ann

    """

  @Test func list_printsSectionsInColumns() async {
    await fill()
    #expect(await bench.run("list") == .init(status: .success, output: Self.listing, error: ""))
  }

  /// A service with incomplete and then done items, the latter the newest first.
  private func service(
    _ requests: Condition<[ItemQuery]>, toDo: Int, done: Int, ignoresDoneLimit: Bool = false
  ) -> FailingService {
    let items = (1...toDo + done).map { number in
      ToDoItem(
        id: TestBench.id(UInt64(number)), number: ItemNumber(Int64(number)),
        content: ItemContent(title: "item \(number)"), createdAt: TestBench.start, updatedAt: TestBench.start,
        completedAt: number > toDo ? TestBench.start : nil, revision: Revision(1))
    }
    var service = FailingService()
    service.listing = { query in
      requests.change { $0.append(query) }
      let start = query.pageToken.flatMap { Int($0) } ?? 0
      let doneLimit = ignoresDoneLimit ? .max : query.doneLimit ?? .max
      let end = min(start + (query.pageSize ?? 100), max(start, toDo) + min(done, doneLimit), items.count)
      return ItemPage(
        items: Array(items[start..<end]), nextPageToken: end < items.count ? "\(end)" : nil, revision: Revision(1))
    }
    return service
  }

  @Test(arguments: [true, false]) func list_makesOneRequest(ignoresDoneLimit: Bool) async {
    let requests = Condition<[ItemQuery]>([])
    let service = service(requests, toDo: 2, done: 12, ignoresDoneLimit: ignoresDoneLimit)
    let output = await TestBench(service: service).run("list").output
    #expect(requests.value == [ItemQuery(pageSize: 1000, doneLimit: 10)])
    #expect(output.hasPrefix("To do (2)\n   1  item 1\n   2  item 2\n\nDone, newest (10)\n   3  item 3\n"))
    #expect(output.hasSuffix("  12  item 12\n"))
  }

  @Test func list_whenAllDoneItemsAreListed_saysSo() async {
    let requests = Condition<[ItemQuery]>([])
    let output = await TestBench(service: service(requests, toDo: 1, done: 10)).run("list").output
    #expect(output.contains("\nDone (10)\n"))
  }

  @Test func list_whenIncompleteItemsFillPages_readsThemAll() async {
    let requests = Condition<[ItemQuery]>([])
    let output = await TestBench(service: service(requests, toDo: 2_000, done: 12)).run("list").output
    #expect(requests.value.count == 3)
    #expect(output.hasPrefix("To do (2000)\n"))
    #expect(output.contains("\nDone, newest (10)\n  2001  item 2001\n"))
  }

  @Test func program_withoutSubcommand_listsItems() async {
    await fill()
    #expect(await bench.run("").output == Self.listing)
    #expect(await bench.run("--all").output == Self.listing)
  }

  @Test func list_whenManyAreDone_showsTheNewestTen() async {
    for number in 1...12 { await bench.run("add \(number)") }
    for number in 2...12 {
      bench.clock.advance(by: .seconds(1))
      await bench.run("check \(number)")
    }
    let lines = await bench.run("list").output.split(separator: "\n")
    #expect(lines.prefix(4) == ["To do (1)", "   1  1", "Done, newest (10)", "  12  12"])
    #expect(lines.count == 13)
    for line in ["list --all", "list --done"] {
      #expect(await bench.run(line).output.contains("Done (11)\n  12  12\n"))
    }
    #expect(await bench.run("list -q").output.split(separator: "\n").count == 12)
    #expect(await bench.run("list --plain").output.split(separator: "\n").count == 12)
    await bench.run("delete 2")
    #expect(await bench.run("list").output.contains("Done (10)\n"))
  }

  @Test func list_whenEmpty_printsHint() async {
    let run = await bench.run("list")
    #expect(
      run == .init(status: .success, output: "", error: "The list is empty. Add an item with: todo add 'Buy milk'\n"))
    #expect(await bench.run("list -q") == .init(status: .success, output: "", error: ""))
  }

  @Test func list_whenNothingMatches_printsNotice() async {
    await bench.run("add Milk")
    #expect(await bench.run("list --search rent").error == "No item matches.\n")
    #expect(await bench.run("list --done").error == "No item matches.\n")
  }

  @Test func list_whenAllItemsAreDone_printsEmptySection() async {
    await bench.run("add Milk")
    await bench.run("check 0198")
    #expect(await bench.run("list").output == "To do (0)\n\nDone (1)\n  1  Milk\n")
  }

  @Test func list_whenFiltered_printsMatches() async {
    await fill()
    #expect(await bench.run("list --done").output == "Done (1)\n  4  Call Ann\n")
    #expect(await bench.run("list --search RENT").output == "To do (1)\n! 2  Pay the rent  yesterday\n")
    #expect(!(await bench.run("list --todo").output.contains("Done")))
    #expect(await bench.run("list --todo --done").status == .usage)
  }

  @Test func list_whenFiltered_printsPrefixesUniqueInList() async {
    await bench.run("add Milk")
    await bench.run("add Rent")
    #expect(await bench.run("list --search milk").output == "To do (1)\n  1  Milk\n")
  }

  @Test func list_whenJSON_printsRevisionAndItems() async {
    #expect(await bench.run("list --json").output == "{\n  \"revision\": 0,\n  \"items\": []\n}\n")
    await bench.run("add Milk")
    let run = await bench.run("list --json")
    #expect(run.output.hasPrefix("{\n  \"revision\": 1,\n  \"items\": [\n    {\n      \"id\": \"0198c0de-0001-7000-"))
    #expect(run.output.hasSuffix("      \"revision\": 1\n    }\n  ]\n}\n"))
  }

  @Test func list_whenItemsExceedPage_readsAllPages() async throws {
    for batch in 0..<5 {
      let items = (0..<NewItem.batchLimit).map { number in
        NewItem(id: ItemID(high: UInt64(batch), low: UInt64(number)), content: ItemContent(title: "\(batch) \(number)"))
      }
      _ = try await bench.service.addItems(items)
    }
    let lines = await bench.run("list --quiet").output.split(separator: "\n")
    #expect(Set(lines).count == 2500)
    #expect(await bench.run("list").output.hasPrefix("To do (2500)\n"))
  }

  @Test func list_onTerminal_usesColors() async {
    await bench.run("add Rent --due yesterday --place Bank")
    bench.change { $0.isInteractive = true }
    let red = "\u{1B}[31m"
    let end = "\u{1B}[0m"
    #expect(
      await bench.run("list").output == """
        \u{1B}[1mTo do (1)\(end)
        \(red)!\(end) \u{1B}[33m1\(end)  Rent  \(red)yesterday\(end)  \u{1B}[2mBank\(end)

        """)
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func list_whenEnvironmentDisablesColors_usesNone(environment: [String: String]) async {
    await bench.run("add Rent --due yesterday")
    bench.change {
      $0.isInteractive = true
      $0.environment.merge(environment) { $1 }
    }
    #expect(await bench.run("list").output == "To do (1)\n! 1  Rent  yesterday\n")
    #expect(await bench.run("list --color always").output.contains("\u{1B}[31m"))
  }

  @Test func list_onTerminal_fitsWidth() async {
    await bench.run("add 'Water the plants in the office' --due '2027-01-03 17:00' --place 'Office, 4th floor'")
    bench.change {
      $0.isInteractive = true
      $0.environment["NO_COLOR"] = "1"
      $0.columns = 60
    }
    #expect(
      await bench.run("list").output == "To do (1)\n  1  Water the plants in th…  2027-01-03 17:00  Office, 4th…\n")
    bench.change { $0.environment["COLUMNS"] = "36" }
    #expect(
      await bench.run("list").output == """
        To do (1)
          1  Water the plants in the office
             2027-01-03 17:00  Office, 4th …

        """)
  }

  @Test func list_whenNotOnTerminal_truncatesNothing() async {
    let title = String(repeating: "long ", count: 40) + "title"
    await bench.run(["add", title])
    #expect(await bench.run("list").output.contains(title))
  }

  @Test func list_whenTextHasControls_escapesOutput() async {
    await bench.run(["add", "\u{1B}]0;boo\u{7}", "--place", "a\nb"])
    #expect(await bench.run("list").output == "To do (1)\n  1  \\u{1B}]0;boo\\u{7}  a\\u{A}b\n")
    let json = await bench.run("list --json").output
    #expect(json.contains("\"title\": \"\\u001b]0;boo\\u0007\""))
    #expect(json.contains("\"name\": \"a\\nb\""))
  }
}
