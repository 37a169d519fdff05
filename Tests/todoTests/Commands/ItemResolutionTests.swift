import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of the numbers, IDs and words that commands accept for items.
@Suite(.unitTimeLimited) struct ItemResolutionTests {
  let bench = TestBench()

  private func fill(_ titles: String...) async {
    for title in titles { await bench.run(["add", title]) }
  }

  // MARK: Numbers

  @Test(arguments: ["2", "#2"]) func number_findsItem(_ number: String) async {
    await fill("Milk", "Rent")
    #expect(await bench.run("show -q \(number)").output == "\(TestBench.id(2))\n")
  }

  @Test func numbersAndRanges_findTheItemsThatExist_once() async {
    await fill("a", "b", "c", "d", "e")
    await bench.run("delete 4")
    #expect(await bench.run("check 2 3-5 #2").output == "Checked 2: b\nChecked 3: c\nChecked 5: e\n")
    #expect(await bench.run("uncheck --json 5-9").output.hasPrefix("[\n  {\n    \"id\": \"\(TestBench.id(5))\","))
  }

  @Test(arguments: [
    ("2", "no item has the number 2; 'todo list' prints the numbers"),
    ("#7", "no item has the number 7; 'todo list' prints the numbers"),
    ("3-8", "no item has a number from 3 to 8; 'todo list' prints the numbers"),
    ("999999999999999999", "no item has the number 999999999999999999; 'todo list' prints the numbers"),
  ])
  func number_whenNoItemHasIt_isNotFound(_ number: String, _ message: String) async {
    await fill("Milk 2 7 999999999999999999")
    #expect(await bench.run("check \(number)") == .init(status: .notFound, output: "", error: "Error: \(message)\n"))
  }

  @Test(arguments: ["show 2", "check 2", "uncheck #2", "edit 2 --title Tea", "delete 2"])
  func number_whenItemIsDeleted_namesRestore(_ line: String) async {
    await fill("Milk", "Rent")
    await bench.run("delete 2")
    #expect(
      await bench.run(line)
        == .init(
          status: .notFound, output: "", error: "Error: item 2 was deleted; restore it with 'todo restore 2'\n"))
    await bench.run("trash --empty --yes")
    #expect(await bench.run(line).error == "Error: no item has the number 2; 'todo list' prints the numbers\n")
  }

  @Test(arguments: [
    ("8-3", "the range 8-3 is empty; write 3-8"), ("1-501", "the range 1-501 has more than 500 numbers"),
  ])
  func range_whenEmptyOrTooLong_isUsageError(_ range: String, _ message: String) async {
    await fill("Milk")
    #expect(await bench.run("check \(range)") == .init(status: .usage, output: "", error: "Error: \(message)\n"))
    #expect(await bench.run("check 1-500").output == "Checked 1: Milk\n")
  }

  @Test(arguments: ["1 2", "1-2"]) func show_whenSeveralItemsAreMeant_isUsageError(_ items: String) async {
    await fill("Milk", "Rent")
    #expect(await bench.run("show \(items)") == .init(status: .usage, output: "", error: "Error: specify one item\n"))
  }

  @Test(arguments: ["0", "#0"]) func number_whenZero_isNoPrefix(_ number: String) async {
    await fill("Milk 0")
    #expect(
      await bench.run("check \(number)")
        == .init(
          status: .notFound, output: "", error: "Error: no item has the number 0; 'todo list' prints the numbers\n"))
    #expect(await bench.run("check 0-1").status == .usage)
  }

  // MARK: IDs

  @Test(arguments: [
    "01", "0198", "0198C0DE", "0198c0de-0001", "0198c0de-", "0198c0de0001", "0198c0de-0001-7000-8000-000000000001",
    "0198C0DE000170008000000000000001",
  ])
  func id_whenPrefixIsUnique_findsItem(id: String) async {
    await fill("Milk")
    #expect(await bench.run("show -q \(id)").output == "0198c0de-0001-7000-8000-000000000001\n")
  }

  @Test func id_whenPrefixIsAmbiguous_listsMatches() async {
    await fill("Milk", "\u{1B}Rent")
    let run = await bench.run("check 0198")
    #expect(run.status == .usage)
    #expect(
      run.error == """
        Error: '0198' matches 2 items
          1  Milk
          2  \\u{1B}Rent

        """)
    #expect(await bench.run("list --done -q").output == "")
  }

  @Test func id_whenManyItemsMatch_listsFirstTen() async {
    for number in 1...13 { await bench.run("add \(number)") }
    let lines = await bench.run("show 01").error.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines[1] == "   1  1")
    #expect(lines.last == "  and 3 more")
  }

  @Test(arguments: ["0199", "0198c0de-0002", "ffff", "0198c0de-0001-7000-8000-000000000002"])
  func id_whenNoItemMatches_isNotFound(id: String) async {
    await fill("Milk")
    let run = await bench.run("show \(id)")
    #expect(run.status == .notFound)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("Error: "))
    let json = await bench.run("show --json \(id)")
    #expect(json.error.hasPrefix("{\"error\": {\"code\": \"NOT_FOUND\", \"reason\": \"ITEM_NOT_FOUND\", "))
  }

  @Test func id_whenItIsAWordOfATitleToo_findsTitle() async {
    await fill("Go to the cafe", "Clean room 4b")
    #expect(await bench.run("check cafe").output == "Checked 1: Go to the cafe\n")
    #expect(await bench.run("check 4b").output == "Checked 2: Clean room 4b\n")
  }

  // MARK: Words

  @Test(arguments: ["oat", "OAT milk", "milk oat", "'oat milk'", "buy oat milk"])
  func words_whenOneTitleHasThem_findItem(_ words: String) async {
    await fill("Buy oat milk", "Buy milk", "Oats")
    #expect(await bench.run("check \(words)").output == "Checked 1: Buy oat milk\n")
  }

  @Test func words_whenOtherFieldHasThem_doNotMatch() async {
    await bench.run("add Shopping --note milk --place 'Milk bar'")
    #expect(await bench.run("show milk").status == .notFound)
  }

  @Test func words_whenTheyAreAWholeTitle_meanThatItem() async {
    await fill("Buy milk", "Milk", "Milk the cow")
    #expect(await bench.run("check milk").output == "Checked 2: Milk\n")
  }

  @Test func words_meanItemsInTheStateThatTheCommandChanges() async {
    await fill("Call Ann", "Call Bob")
    await bench.run("check 1")
    #expect(await bench.run("check call").output == "Checked 2: Call Bob\n")
    #expect(await bench.run("check ann").error == "1 'Call Ann' is already done\n")
    await bench.run("uncheck 2")
    #expect(await bench.run("uncheck call").output == "Unchecked 1: Call Ann\n")
  }

  @Test func words_whenSeveralTitlesHaveThem_areAmbiguous() async {
    await fill("Buy milk", "Oat milk")
    let run = await bench.run("check milk")
    #expect(
      run == .init(status: .usage, output: "", error: "Error: 'milk' matches 2 items\n  1  Buy milk\n  2  Oat milk\n"))
    let json = await bench.run("check --json milk").error
    #expect(json.contains("\"reason\": \"AMBIGUOUS_ITEM\""))
    #expect(json.contains("\"candidates\": [{\"id\": \"\(TestBench.id(1))\", \"number\": 1, \"title\": \"Buy milk\""))
  }

  @Test(arguments: [
    ("2", "Checked 2: Oat milk\n", ToDoSupport.ExitStatus.success), (" #2 ", "Checked 2: Oat milk\n", .success),
    ("", "", .failure), ("3", "", .failure), ("x", "", .failure),
    ("1,2", "Checked 1: Buy milk\nChecked 2: Oat milk\n", .success),
    ("2 #1", "Checked 1: Buy milk\nChecked 2: Oat milk\n", .success),
    ("All", "Checked 1: Buy milk\nChecked 2: Oat milk\n", .success), ("all 3", "", .failure),
  ])
  func words_whenAmbiguousOnTerminal_promptForNumber(
    _ answer: String, _ output: String, _ status: ToDoSupport.ExitStatus
  ) async {
    await fill("Buy milk", "Oat milk", "Rent")
    bench.change { ($0.isInteractive, $0.answers) = (true, [answer]) }
    let run = await bench.run("check milk --color never")
    #expect((run.status, run.output) == (status, output))
    #expect(
      run.error.hasPrefix(
        "'milk' matches 2 items:\n  1  Buy milk\n  2  Oat milk\nWhich numbers? ('1 2', 'all', or Enter for none) "))
    let doneCount = await bench.run("list --done -q").output.split(separator: "\n").count
    #expect(doneCount == output.split(separator: "\n").count)
  }

  @Test func words_whenAmbiguousForOneItem_promptForOne() async {
    await fill("Buy milk", "Oat milk")
    bench.change { ($0.isInteractive, $0.answers) = (true, ["all", "1 2", "2"]) }
    let run = await bench.run("edit milk --title Milk --color never")
    #expect(run.output == "Edited 2: Milk\n")
    #expect(run.error.contains("Error: '1 2' is not one of the numbers\nWhich number? (Enter for none) "))
  }

  @Test func words_whenSeveralAreChosen_printArrayInJSON() async {
    await fill("Buy milk", "Oat milk")
    bench.change { ($0.isInteractive, $0.answers) = (true, ["all"]) }
    let run = await bench.run("check milk --json")
    #expect(run.output.hasPrefix("[\n  {\n    \"id\": \"\(TestBench.id(1))\""))
    #expect(run.output.contains("\(TestBench.id(2))"))
  }

  @Test(arguments: ["milk buy", "buy MILK", "cafe", "CAFÉ", "strasse", "o'neill"])
  func words_whenWhole_findItemInAnyOrderCaseAndAccent(_ words: String) async {
    await fill("Buy milk, Café (Straße), O’Neill", "Buymilk Cafeteria Strassen")
    #expect(
      await bench.run(["show", "-q"] + words.split(separator: " ").map(String.init)).output == "\(TestBench.id(1))\n")
  }

  @Test func words_whenTitlesDifferInAccents_areAmbiguousUnlessExact() async {
    await fill("Visit Café", "Visit Cafe Blanc", "Visit Cafe Rouge", "Visit Café Rouge")
    #expect(await bench.run("check cafe rouge").status == .usage)
    #expect(await bench.run("check visit cafe").output == "Checked 1: Visit Café\n")
    #expect(await bench.run("check visit cafe rouge").output == "Checked 3: Visit Cafe Rouge\n")
  }

  @Test func words_whenParts_selectNothing() async {
    await fill("Buy milk powder", "Sell powder kegs")
    #expect(
      await bench.run("delete owder")
        == .init(
          status: .notFound, output: "",
          error: """
            Error: no title has 'owder' as a whole word, but 2 contain it; '--contains' selects such items
              1  Buy milk powder
              2  Sell powder kegs

            """))
    #expect(await bench.run("delete ilk owder").error.contains("as whole words, but one contains it"))
    #expect(await bench.run("delete --contains ilk owder").output == "Deleted 1: Buy milk powder\n")
  }

  @Test(arguments: [("1", "Deleted 1: Buy milk powder\n"), ("", "")])
  func words_whenPartsOnTerminal_promptEvenForOne(_ answer: String, _ output: String) async {
    await fill("Buy milk powder")
    bench.change { ($0.isInteractive, $0.answers) = (true, [answer]) }
    let run = await bench.run("delete owder --color never")
    #expect(run.output == output)
    #expect(run.error.hasPrefix("no title has 'owder' as a whole word, but one contains it"))
    #expect(run.error.contains("  1  Buy milk powder\nWhich number? (Enter for none) "))
  }

  @Test(arguments: ["", "--contains "]) func words_whenTitleOfDoneItem_changeNoOther(_ option: String) async {
    await fill("Buy milk", "Buy milk powder")
    await bench.run("check Buy milk")
    let revision = await bench.run("list --all --json").output
    #expect(await bench.run("check \(option)Buy milk").status == .success)
    #expect(await bench.run("list --all --json").output == revision)
  }

  @Test func words_whenTitleOfDeletedItem_changeNoOther() async {
    await fill("Call Tom", "Call Tom about car")
    await bench.run("delete Call Tom")
    #expect(
      await bench.run("delete Call Tom")
        == .init(
          status: .notFound, output: "",
          error: """
            Error: 1 'Call Tom' was deleted; restore it with 'todo restore 1'
              To select another item, use its number:
                2  Call Tom about car

            """))
    #expect(await bench.run("restore 1").status == .success)
    #expect(await bench.run("delete call tom").output == "Deleted 1: Call Tom\n")
  }

  @Test func words_whenTitleOfItemThatIsNotDeleted_restoreNoOther() async {
    await fill("Call Tom", "Call Tom about car")
    await bench.run("delete 2")
    #expect(await bench.run("restore call tom").error.hasPrefix("Error: 1 'Call Tom' is not deleted\n"))
    #expect(await bench.run("trash -q").output == "\(TestBench.id(2))\n")
  }

  @Test func words_whenNoTitleHasThem_suggestSimilarTitles() async {
    await fill("Buy oat milk", "Rent", "Call Ann")
    #expect(
      await bench.run("check maet mlk")
        == .init(
          status: .notFound, output: "", error: "Error: no item has 'maet mlk' in its title\n")
    )
    #expect(
      await bench.run("check oat mikl").error == """
        Error: no item has 'oat mikl' in its title
          Did you mean:
            1  Buy oat milk

        """)
  }

  @Test(arguments: ["", "-", "#", "/"]) func reference_whenMalformed_isUsageError(_ text: String) async {
    await fill("Milk")
    let run = await bench.run(["show", "--", text])
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: '\(text)' is not an item; specify its number, its ID or words of its title"))
  }

  @Test(arguments: [
    ("milk", "milk", 0), ("milk", "mlk", 1), ("milk", "mikl", 1), ("milk", "silk", 1), ("milk", "milks", 1),
    ("kitten", "sitting", 3), ("", "ab", 2),
  ])
  func distance_countsTypingErrors(_ left: String, _ right: String, _ count: Int) {
    #expect(NearMisses.distance(Array(left), Array(right)) == count)
    #expect(NearMisses.distance(Array(right), Array(left)) == count)
  }
}
