import Testing
import ToDoModel
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct AddCommandTests {
  let bench = TestBench()

  @Test func add_withPlaceAndAt_namesTheCoordinate() async throws {
    #expect(await bench.run("add Buy @Rewe --at 48.2,11.6").output == "Added 1: Buy · at Rewe\n")
    let location = try await bench.service.item(TestBench.id(1)).location
    #expect(location == Location(name: "Rewe", coordinate: Coordinate(latitude: 48.2, longitude: 11.6)))
    for (line, reason) in [
      ("add Buy @48,11 --at 48.2,11.6", "'@48,11' and '--at' are two coordinates"),
      ("add Buy @Rewe --at 48.2,11.6 --near 48,11", "'--near' has no effect beside '--at'"),
    ] {
      let run = await bench.run(line)
      #expect(run.status == .usage && run.error.contains(reason), "\(run.error)")
    }
    // Another place is not read, as before.
    #expect(await bench.run("add Sell @Rewe --place Edeka").output == "Added 2: Sell @Rewe · at Edeka\n")
  }

  @Test func add_storesItemAndPrintsIt() async throws {
    let run = await bench.run("add 'Buy milk'")
    #expect(run == .init(status: .success, output: "Added 1: Buy milk\n", error: ""))
    #expect(try await bench.service.item(TestBench.id(1)).content == ItemContent(title: "Buy milk"))
  }

  @Test func add_whenDueIsSet_printsAbsoluteDate() async throws {
    let run = await bench.run("add 'Buy milk' --due 'tomorrow at 5pm'")
    #expect(run.output == "Added 1: Buy milk · tomorrow, Thu 30 Apr, 17:00\n")
    let due = try #require(Timestamp("2026-04-30T15:00:00Z"))
    #expect(try await bench.service.item(TestBench.id(1)).due == .time(due))
  }

  @Test func add_whenEveryFieldIsSet_storesAllFields() async throws {
    let run = await bench.run([
      "add", "Pick up parcel", "--due", "2026-05-01", "--note", "- bring the card", "--place", "Post office",
      "--address", "Hauptstr. 1", "--at", "-33.86,151.21",
    ])
    #expect(run.output == "Added 1: Pick up parcel · Fri 1 May · at Post office\n")
    let content = try await bench.service.item(TestBench.id(1)).content
    #expect(content.itemDescription == "- bring the card")
    #expect(content.location?.name == "Post office")
    #expect(content.location?.address == "Hauptstr. 1")
    #expect(content.location?.coordinate == Coordinate(latitude: -33.86, longitude: 151.21))
  }

  @Test func add_whenQuiet_printsCompleteID() async {
    let run = await bench.run("add -q Milk")
    #expect(run == .init(status: .success, output: "0198c0de-0001-7000-8000-000000000001\n", error: ""))
  }

  @Test func add_whenJSON_printsItemWithAllKeys() async {
    let run = await bench.run("--json add Milk --due 'tomorrow 17:00'")
    #expect(
      run.output == """
        {
          "id": "0198c0de-0001-7000-8000-000000000001",
          "number": 1,
          "title": "Milk",
          "note": null,
          "dueTime": "2026-04-30T15:00:00Z",
          "dueDate": null,
          "location": null,
          "tags": [],
          "priority": null,
          "steps": [],
          "waitTime": null,
          "repetition": null,
          "reminders": [],
          "done": false,
          "createTime": "2026-04-29T08:15:42Z",
          "updateTime": "2026-04-29T08:15:42Z",
          "completeTime": null,
          "revision": 1
        }

        """)
    #expect(run.error == "")
  }

  @Test func add_whenItemIsDuplicate_failsWithRemedy() async {
    await bench.run("add Milk")
    let run = await bench.run("add Milk")
    #expect(run.status == .conflict)
    #expect(run.output == "")
    #expect(
      run.error == """
        Error: an identical item already exists: 1
          Use '--allow-duplicate' to add it anyway.

        """)
    #expect(await bench.run("add Milk --allow-duplicate").status == .success)
  }

  @Test func add_whenItemIsDuplicateAndJSON_printsErrorAsJSON() async {
    await bench.run("add Milk")
    let run = await bench.run("add Milk --json")
    #expect(run.status == .conflict)
    #expect(
      run.error == """
        {"error": {"code": "ALREADY_EXISTS", "reason": "DUPLICATE_ITEM", \
        "message": "an identical item already exists: 1", "fields": []}}

        """)
  }

  @Test func add_whenFieldsAreInvalid_printsLinePerField() async {
    let long = String(repeating: "x", count: 1025)
    let run = await bench.run(["add", " ", "--place", long])
    #expect(run.status == .usage)
    #expect(
      run.error == """
        Error: the item is not valid
          title must not be blank
          --place is 1025 bytes long; at most 1024 are allowed

        """)
    let json = await bench.run(["add", " ", "--json"])
    #expect(
      json.error == """
        {"error": {"code": "INVALID_ARGUMENT", "reason": "INVALID_ITEM", "message": "the item is not valid", \
        "fields": [{"field": "title", "message": "must not be blank"}]}}

        """)
  }

  @Test func add_whenDueIsInvalid_isUsageError() async {
    let run = await bench.run("add Milk --due soon")
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: 'soon' is not a date or time; write one such as 'tomorrow 17:00'\n"))
    #expect(bench.selections.isEmpty)
  }

  @Test(arguments: ["91,0", "0,181", "52.52", "1,2,3", "north,east", "", "nan,0"])
  func add_whenCoordinateIsInvalid_isUsageError(at: String) async {
    let run = await bench.run(["add", "Milk", "--at", at])
    #expect(run.status == .usage)
    #expect(run.error.contains("write latitude,longitude in degrees"))
  }

  @Test func add_whenTextHasControls_escapesOutput() async {
    let run = await bench.run(["add", "\u{1B}[2Jboo", "--place", "a\u{202E}b"])
    #expect(run.output == "Added 1: \\u{1B}[2Jboo · at a\\u{202E}b\n")
  }

  @Test func add_whenTitleFollowsTerminator_acceptsTitle() async {
    #expect(await bench.run("add -q -- --json").status == .success)
    #expect(await bench.run("list -q").output == "0198c0de-0001-7000-8000-000000000001\n")
  }

  @Test(arguments: ["- pay the rent", "-5 degrees", "-h is a flag"])
  func add_whenTitleBeginsWithDash_acceptsTitle(_ title: String) async throws {
    #expect(await bench.run(["add", title, "--note", title]).output == "Added 1: \(title)\n")
    #expect(try await bench.service.item(TestBench.id(1)).content == ItemContent(title: title, itemDescription: title))
    #expect(await bench.run(["check", title]).output == "Checked 1: \(title)\n")
  }

  @Test func add_whenOptionHasNoValue_saysSo() async {
    let run = await bench.run("add Milk --note --yes")
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: Missing value for '--note <text>'"))
    #expect(await bench.run("add Milk --note=--yes").status == .success)
  }

  @Test(arguments: ["a\tb", "a\nb", "a\r\nb", " \na b\n"]) func add_whenTitleHasLines_joinsThem(_ title: String) async {
    let notice = "Tabs and line breaks in the title became blanks.\n"
    #expect(await bench.run(["add", title]) == .init(status: .success, output: "Added 1: a b\n", error: notice))
    #expect(
      await bench.run(["edit", "1", "--title", "c\td"])
        == .init(status: .success, output: "Edited 1: c d\n", error: notice))
  }

  @Test func add_whenTitleHasBlanksAround_trimsThemBeforeLookingForDuplicates() async {
    #expect(
      await bench.run(["add", "  Milk  now "]) == .init(status: .success, output: "Added 1: Milk  now\n", error: ""))
    #expect(await bench.run(["add", "Milk  now"]).status == .conflict)
  }

  // MARK: Several words

  @Test func add_whenSeveralWords_readsDateAndPlace() async throws {
    let run = await bench.run("add Buy oat milk tomorrow 17:00 @Corner shop +errand")
    #expect(run.output == "Added 1: Buy oat milk · tomorrow, Thu 30 Apr, 17:00 · at Corner shop · #errand\n")
    #expect(try await bench.service.item(TestBench.id(1)).location == Location(name: "Corner shop"))
  }

  @Test func add_whenPlaceIsKnown_usesIt() async throws {
    await bench.run("add Milk --place 'Corner Shop' --at 1,2 --address 'Main Street 1'")
    #expect(await bench.run("add Tea @corner shop").output == "Added 2: Tea · at Corner Shop\n")
    let known = Location(
      name: "Corner Shop", address: "Main Street 1", coordinate: Coordinate(latitude: 1, longitude: 2))
    #expect(try await bench.service.item(TestBench.id(2)).location == known)
  }

  @Test func add_whenGeocoderFindsPlace_usesItAsAddress() async throws {
    let geocoder = MockGeocoder()
    geocoder.setAnswers([.alte], for: "munich")
    geocoder.setAnswers([.alte], for: "Museum")
    geocoder.setAnswers([.alte], for: "Barer Str. 27")
    let bench = TestBench(geocoder: geocoder)
    let run = await bench.run("add Look @munich")
    #expect(run.error == "munich → Munich, Bavaria, Germany; town center\n")
    #expect(try await bench.service.item(TestBench.id(1)).location?.address == "munich")
    await bench.run("add Look @Museum")
    #expect(try await bench.service.item(TestBench.id(2)).location == Location(name: "Museum"))
    await bench.run("add Look @Barer Str. 27")
    #expect(try await bench.service.item(TestBench.id(3)).location?.address == "Barer Str. 27")
  }

  @Test func add_whenOptionsAreGiven_doesNotReadTheirFields() async throws {
    await bench.run("add Milk tomorrow @Shop --due fri --place Market")
    let content = try await bench.service.item(TestBench.id(1)).content
    #expect(content.title == "Milk tomorrow @Shop")
    #expect(content.location == Location(name: "Market"))
  }

  @Test(arguments: [
    ("Dinner tomorrow @Rossi 19:00", "Added 1: Dinner · tomorrow, Thu 30 Apr, 19:00 · at Rossi\n"),
    ("tomorrow buy milk", "Added 1: buy milk · tomorrow, Thu 30 Apr\n"),
    ("Fix -- tomorrow @Shop", "Added 1: Fix tomorrow @Shop\n"),
    ("Buy milk fri -- 3 litres", "Added 1: Buy milk 3 litres · Fri 1 May\n"),
    ("Meet Ann @52.52,13.405", "Added 1: Meet Ann · at 52.52,13.405\n"),
  ])
  func add_whenWordsAreSentence_readsThem(_ words: String, _ output: String) async {
    #expect(await bench.run("add \(words)") == .init(status: .success, output: output, error: ""))
  }

  @Test func add_whenLocaleIsGerman_readsGermanWords() async {
    bench.change { $0.environment["LANG"] = "de_DE.UTF-8" }
    let run = await bench.run("add Milch kaufen morgen um 17 Uhr")
    #expect(run.output == "Added 1: Milch kaufen · tomorrow, Thu 30 Apr, 17:00\n")
  }

  @Test(arguments: ["Watch Friday tomorrow", "Milk tomorrow @Shop"])
  func add_whenOneArgumentInScript_takesItAsItIs(_ title: String) async {
    #expect(await bench.run(["add", title]).output == "Added 1: \(title)\n")
  }

  @Test func add_whenOneArgumentOnTerminal_readsIt() async {
    bench.change { ($0.isInteractive, $0.environment["NO_COLOR"]) = (true, "1") }
    let run = await bench.run(["add", "Milk tomorrow @Shop"])
    #expect(run.output == "Added 1: Milk · tomorrow, Thu 30 Apr · at Shop\n")
    #expect(await bench.run(["add", "--", "Tea tomorrow"]).output == "Added 2: Tea tomorrow\n")
  }

  @Test(arguments: [
    ("Call Ann at 5", "The hour has no 'am' or 'pm'; read as today 17:00."),
    ("Mow on the weekend", "Due on the first day, Sat 2 May."),
    (
      "Meeting thursday 1 may",
      "No date was read, because the days or times don't combine. Set one with 'todo edit 1 --due'."
    ),
    ("Books yesterday", "No date was read, because it is in the past. Set one with 'todo edit 1 --due'."),
  ])
  func add_whenReadingHasNotice_printsItToStandardError(_ words: String, _ notice: String) async throws {
    let run = await bench.run("add \(words)")
    #expect(run.status == .success)
    #expect(run.error == notice + "\n")
    let item = try await bench.service.item(TestBench.id(1))
    if notice.hasPrefix("No date") { #expect((item.title, item.due) == (words, nil)) }
    #expect(await bench.run("add -q Tea \(words)").error == "")
  }

  // MARK: Questions

  private func ask(_ words: String, _ answer: String) async -> TestBench.Run {
    bench.change {
      ($0.isInteractive, $0.environment["NO_COLOR"], $0.answers) = (true, "1", [answer])
    }
    return await bench.run("add \(words)")
  }

  @Test(arguments: [
    ("1", "Added 1: Meeting · tomorrow, Thu 30 Apr\n"), ("2", "Added 1: Meeting · Fri 1 May\n"),
    ("3", "Added 1: Meeting thursday 1 may\n"), ("", ""), ("4", ""), ("x", ""),
  ])
  func add_whenDaysDoNotCombineOnTerminal_asks(_ answer: String, _ output: String) async {
    let run = await ask("Meeting thursday 1 may", answer)
    #expect(run.output == output)
    let question = """
      The days or times don't combine:
        1  Meeting · tomorrow, Thu 30 Apr
        2  Meeting · Fri 1 May
        3  Meeting thursday 1 may · no due date
      Which number? (Enter for none)\(" ")
      """
    #expect(run.error.hasPrefix(question))
    #expect(run.status == (output.isEmpty ? .failure : .success))
    if !output.isEmpty { #expect(run.error == question + "Undo with 'todo undo'.\n") }
  }

  @Test func add_whenAnswerIsWrong_asksAgain() async {
    bench.change { ($0.isInteractive, $0.environment["NO_COLOR"], $0.answers) = (true, "1", ["4", "x", "1"]) }
    let run = await bench.run("add Meeting thursday 1 may")
    #expect(run.output == "Added 1: Meeting · tomorrow, Thu 30 Apr\n")
    #expect(run.error.contains("none) Error: '4' is not one of the numbers\nWhich number? (Enter for none) Error: 'x'"))
    bench.change { $0.answers = ["4", "5", "6", "1"] }
    let failed = await bench.run("add Lunch thursday 1 may")
    #expect(failed.status == .usage)
    #expect(failed.error.hasSuffix("Error: '6' is not one of the numbers\n"))
  }

  @Test func add_whenOnTerminal_offersUndo() async {
    bench.change { $0.isInteractive = true }
    #expect(await bench.run("add Milk").error == "\u{1B}[2mUndo with 'todo undo'.\u{1B}[0m\n")
    #expect(await bench.run("edit 1 --title Tea").error.hasSuffix("Undo with 'todo undo'.\u{1B}[0m\n"))
    #expect(await bench.run("add Tea -q --allow-duplicate").error == "")
    #expect(await bench.run("add Rice --dry-run").error == "")
  }

  @Test func add_whenDateIsPast_isConfirmed() async {
    let run = await ask("Return the books yesterday", "1")
    #expect(run.output == "Added 1: Return the books · yesterday, Tue 28 Apr\n")
    #expect(run.error.hasPrefix("The date is in the past:\n  1  Return the books · yesterday, Tue 28 Apr\n"))
    #expect(await bench.run("add Call Ann yesterday --yes").output == "Added 2: Call Ann · yesterday, Tue 28 Apr\n")
  }

  @Test func add_whenTitleIsMissingOnTerminal_asksForSentence() async {
    let question = "What do you want to do? (such as: Dinner tomorrow @Rossi 19:00) "
    bench.change { ($0.isInteractive, $0.environment["NO_COLOR"]) = (true, "1") }
    bench.change { $0.answers = ["Ann's party; sat @Shop"] }
    let output = "Added 1: Ann's party · Sat 2 May · at Shop\n"
    #expect(
      await bench.run("add") == .init(status: .success, output: output, error: question + "Undo with 'todo undo'.\n"))
    bench.change { $0.answers = [" "] }
    let run = await bench.run("add")
    #expect(run == .init(status: .failure, output: "", error: question + "Nothing was added.\n"))
  }

  // MARK: Lines

  @Test func add_whenTitleIsDash_readsLines() async throws {
    bench.change { $0.answers = ["Milk tomorrow", "", "Books yesterday", "  Tea @Shop"] }
    let run = await bench.run("add - --note n")
    let output = "Added 1: Milk · tomorrow, Thu 30 Apr\nAdded 2: Books yesterday\nAdded 3: Tea · at Shop\n"
    let notice = "No date was read, because it is in the past. Set one with 'todo edit 2 --due'.\n"
    #expect(run == .init(status: .success, output: output, error: notice))
    #expect(try await bench.service.item(TestBench.id(3)).itemDescription == "n")
  }

  @Test func add_whenLineFails_addsOthers() async {
    bench.change { $0.answers = ["Milk", "Milk", "Tea"] }
    let run = await bench.run("add -")
    #expect(run.status == .conflict)
    #expect(run.output == "Added 1: Milk\nAdded 2: Tea\n")
    #expect(run.error.hasPrefix("Error: an identical item already exists: 1\n"))
    bench.change { $0.answers = ["Rice"] }
    #expect(await bench.run("add - --json").output.hasPrefix("[\n  {\n    \"id\": "))
    #expect(await bench.run("add -- -").output == "Added 4: -\n")
  }

  // MARK: Without saving

  @Test func add_whenDryRun_savesNothing() async throws {
    let run = await bench.run("add Dinner tomorrow @Rossi 19:00 --dry-run")
    let output = "Would add: Dinner · tomorrow, Thu 30 Apr, 19:00 · at Rossi\n"
    #expect(run == .init(status: .success, output: output, error: ""))
    #expect(await bench.run("add Milk --dry-run -q").output == "")
    #expect(try await bench.service.items(ItemQuery()).items.isEmpty)
  }

  /// Nothing is created, not even an empty list.
  @Test func add_whenDryRunAndNoListExists_opensNone() async {
    bench.change { $0.hasDatabase = false }
    let run = await bench.run("add Milk tomorrow --dry-run --geocoder none")
    #expect(run == .init(status: .success, output: "Would add: Milk · tomorrow, Thu 30 Apr\n", error: ""))
    #expect(bench.selections.isEmpty)
    #expect(await bench.run("add Milk --dry-run --server tcp://a:1").status == .success)
    #expect(bench.selections == [.server(endpoint: "tcp://a:1")])
  }

  @Test func add_whenDryRunAndJSON_printsContentAndNotices() async throws {
    let run = await bench.run("add Meeting thursday 1 may --note n --dry-run --json")
    #expect(
      run.output == """
        {
          "title": "Meeting thursday 1 may",
          "note": "n",
          "dueTime": null,
          "dueDate": null,
          "location": null,
          "tags": [],
          "priority": null,
          "steps": [],
          "waitTime": null,
          "repetition": null,
          "reminders": [],
          "notices": [
            "No date was read, because the days or times don't combine."
          ]
        }

        """)
    #expect(run.error == "")
  }

  @Test func add_whenDryRunAndPlaceMatches_hasCoordinate() async throws {
    let geocoder = MockGeocoder()
    geocoder.setAnswers([.alte], for: "munich")
    let bench = TestBench(geocoder: geocoder)
    let run = await bench.run("add Look @munich --dry-run")
    #expect(run.output == "Would add: Look · at munich\n")
    #expect(run.error == "munich → Munich, Bavaria, Germany; town center\n")
    #expect(await bench.run("add Look @munich --dry-run --json").output.contains("\"latitude\": 48."))
    #expect(try await bench.service.items(ItemQuery()).items.isEmpty)
  }
}
