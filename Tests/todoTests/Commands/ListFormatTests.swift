import Testing
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of the formats of `todo list`: on a narrow terminal, in a pipe, and with `--plain`.
@Suite(.unitTimeLimited) struct ListFormatTests {
  let bench = TestBench()

  private func fill() async {
    await bench.run("add 'Buy milk' --due 'today 17:00' --place 'Corner shop'")
    await bench.run("add 'Pay the rent' --due yesterday")
    await bench.run("add 牛乳を買う --due 2027-01-03")
    await bench.run("add 'Call Ann'")
    await bench.run("add 'Water plants' --due fri")
    await bench.run("check 4")
  }

  @Test func list_whenNotOnTerminal_isNotAligned() async {
    await fill()
    #expect(
      await bench.run("list").output == """
        To do (4)
        ! 2  Pay the rent  yesterday
          1  Buy milk  today 17:00  Corner shop
          5  Water plants  Fri 1 May
          3  牛乳を買う  2027-01-03

        Done (1)
          4  Call Ann

        """)
  }

  @Test func list_marksNotesAndCoordinates() async {
    await bench.run("add 'Buy milk' --note oat --place 'Corner shop' --at 48.1,11.5")
    await bench.run("add Swim --at 48.2,11.6")
    #expect(
      await bench.run("list").output == """
        To do (2)
          1  Buy milk +  Corner shop @
          2  Swim  48.2,11.6

        """)
  }

  @Test func list_onNarrowTerminal_foldsItems() async {
    await fill()
    bench.change { $0.environment["COLUMNS"] = "40" }
    #expect(
      await bench.run("list").output == """
        To do (4)
        ! 2  Pay the rent
             yesterday
          1  Buy milk
             today 17:00  Corner shop
          5  Water plants
             Fri 1 May
          3  牛乳を買う
             2027-01-03

        Done (1)
          4  Call Ann

        """)
  }

  @Test func list_whenPlain_printsFieldsWithTabs() async {
    await fill()
    await bench.run(["add", "a\tb\u{1B}", "--place", "c\nd", "--at", "1,2"])
    let output = await bench.run("list --plain --color always").output
    let lines: [String] = [
      "2\ttodo\t2026-04-28\tPay the rent\t\t\(TestBench.id(2))",
      "1\ttodo\t2026-04-29T15:00:00Z\tBuy milk\tCorner shop\t\(TestBench.id(1))",
      "5\ttodo\t2026-05-01\tWater plants\t\t\(TestBench.id(5))",
      "3\ttodo\t2027-01-03\t牛乳を買う\t\t\(TestBench.id(3))",
      "6\ttodo\t\ta b\\u{1B}\tc\\u{A}d\t\(TestBench.id(6))",
      "4\tdone\t\tCall Ann\t\t\(TestBench.id(4))",
    ]
    #expect(output == lines.joined(separator: "\n") + "\n")
    #expect(await bench.run("list --done --plain").output == "\(lines[5])\n")
    #expect(await bench.run("--plain").output == output)
  }

  @Test func list_whenPlainAndEmpty_printsNothing() async {
    #expect(await bench.run("list --plain") == .init(status: .success, output: "", error: ""))
  }

  @Test(arguments: ["--json", "-q", "--watch"]) func list_whenPlainAndOtherFormat_isUsageError(option: String) async {
    #expect(await bench.run("list --plain \(option)").status == .usage)
  }
}
