import Testing
import ToDoGeocoders
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tests of completion requests over a list.
@Suite(.unitTimeLimited) struct CompletionTests {
  private let bench = TestBench()

  @discardableResult
  private func complete(_ words: String..., in bench: TestBench? = nil) async -> TestBench.Run {
    await (bench ?? self.bench).run(["---complete", "zsh", "todo"] + words)
  }

  private func addItems() async {
    await bench.run("add 'Buy milk' --place 'Corner shop' --address 'Markt 1' --at 1,2")
    await bench.run(["add", "a:b\u{1B}\n", "--place", "Café: Zentral"])
    await bench.run("add Done --place 'corner shop'")
    await bench.run("check 3")
    await bench.run("add Gone")
    await bench.run("delete 4")
  }

  @Test(arguments: [
    (["check", ""], "1:Buy milk\n2:a:b\\u{1B}\n"), (["check", "2"], "2:a:b\\u{1B}\n"), (["show", "9"], ""),
    (["check", "1", ""], "2:a:b\\u{1B}\n"), (["uncheck", ""], "3:Done\n"), (["restore", ""], "4:Gone\n"),
  ])
  func items_ofCommand_areCompleted(_ words: [String], _ output: String) async {
    await addItems()
    let run = await bench.run(["---complete", "zsh", "todo"] + words)
    #expect(run.status == .success)
    #expect(run.error == "")
    #expect(run.output == output)
  }

  @Test func places_areCompletedOnce_latestFirst() async {
    await addItems()
    #expect(await complete("near", "").output == "corner shop\nCafé\\: Zentral\n")
    #expect(await complete("add", "Milk", "@caf").output == "@Café\\: Zentral\n")
    #expect(await complete("edit", "1", "--place", "Cor").output == "corner shop\n")
  }

  @Test func lists_areCompleted() async {
    await bench.run("lists create Work")
    await bench.run("lists create 'Home office'")
    await bench.run("lists create Old")
    await bench.run("lists delete old --yes")
    let lines = [
      ["list", "--list"], ["add", "Milk", "-L"], ["use"], ["lists", "rename"], ["lists", "delete"], ["lists", "leave"],
      ["share"], ["unshare"],
    ]
    for words in lines {
      #expect(
        await bench.run(["---complete", "zsh", "todo"] + words + [""]).output == "Inbox\nHome office\nWork\n",
        "\(words)")
    }
    #expect(await complete("lists", "restore", "").output == "Old\n")
    #expect(await complete("lists", "re").output == "rename\nrestore\n")
    #expect(await complete("lists", "color", "work", "bl").output == "blue\n")
    #expect(await complete("lists", "create", "Shop", "").output.hasPrefix("none\nred\n"))
  }

  @Test func items_areThoseOfSelectedList() async {
    await bench.run("lists create Work")
    await bench.run("add Milk")
    await bench.run("add Report -L work")
    #expect(await complete("check", "").output == "1:Milk\n")
    #expect(await complete("-L", "work", "check", "").output == "1:Report\n")
    #expect(await complete("check", "--list=work", "").output == "1:Report\n")
    bench.change { $0.environment["TODO_LIST"] = "work" }
    #expect(await complete("check", "").output == "1:Report\n")
  }

  @Test func dates_needNoList() async {
    let run = await complete("add", "Milk", "--due", "to")
    #expect(run.output == "today:Wed 2026-04-29\ntomorrow:Thu 2026-04-30\ntonight:Wed 2026-04-29 20:00 CEST\n")
    #expect(bench.selections == [])
  }

  @Test func dates_areAllParsed() async {
    #expect(await complete("add", "Milk", "--due", "").output.split(separator: "\n").count == 15)
  }

  @Test func dueFilters_areParsedWithoutList() async {
    #expect(
      await complete("list", "--due", "n").output == """
        none
        next week:Mon 2026-05-04 to Sun 2026-05-10
        next month:Fri 2026-05-01 to Sun 2026-05-31

        """)
    let all = await complete("check", "--due", "").output.split(separator: "\n")
    #expect(all.prefix(3) == ["overdue", "week", "none"])
    // A time is not a day.
    #expect(all.allSatisfy { !$0.hasPrefix("tonight") })
    #expect(bench.selections == [])
  }

  @Test func candidates_areLimited() async {
    let items = (1...300).map { number in
      ToDoItem(
        id: TestBench.id(UInt64(number)), number: ItemNumber(Int64(number)), content: ItemContent(title: "x"),
        createdAt: TestBench.start, updatedAt: TestBench.start, revision: Revision(1))
    }
    let bench = TestBench(
      service: FailingService(listing: { _ in ItemPage(items: items, revision: Revision(1)) }))
    #expect(await complete("check", "", in: bench).output.split(separator: "\n").count == 100)
    #expect(await complete("check", "30", in: bench).output == "30:x\n300:x\n")
  }

  @Test func candidates_ofEmbeddedList_useNoGeocoder() async {
    await complete("check", "")
    guard case .embedded(_, let geocoder) = bench.selections.first else {
      Issue.record("the list is not embedded")
      return
    }
    #expect(geocoder.choices == [])
    #expect(bench.closedConnections == 1)
  }

  @Test func server_ofLine_isUsed() async {
    await complete("--server", "tcp://a:1", "check", "")
    #expect(bench.selections == [.server(endpoint: "tcp://a:1")])
  }

  @Test func completion_whenNothingResponds_isSilent() async {
    let silent = TestBench.Run(status: .success, output: "", error: "")
    #expect(await complete("check", "", in: TestBench(service: FailingService())) == silent)
    #expect(await complete("--server", "nonsense", "check", "") == silent)
    for change: @Sendable (inout TestBench.State) -> Void in [
      { $0.hasDatabase = false }, { $0.environment = [:] }, { $0.environment["TODO_TOKEN_FILE"] = "-" },
      { $0.connectionFailure = Failure(code: .unavailable, reason: "STORE_UNAVAILABLE", message: "damaged") },
      { $0.isCompletionOverdue = true },
      { $0.outputFailure = Failure(code: .unknown, reason: "OUTPUT_FAILED", message: "no space") },
    ] {
      let bench = TestBench()
      await bench.run("add Milk")
      bench.change(change)
      #expect(await complete("check", "", in: bench) == silent)
    }
  }

  @Test func candidates_forBash_replaceCurrentWord() async {
    await addItems()
    let run = await bench.run(["---complete", "bash", "9", " \t\n\"'@><=;|&(:", "todo add Milk @Corn"])
    #expect(run.output == "corner' shop'\n")
    let listing = await bench.run(["---complete", "bash", "63", " @:", "todo check "])
    #expect(listing.output.hasPrefix("1  (Buy milk)\n2  (a:b"))
  }

  @Test func place_thatBeginsWithDash_isOfferedOnlyAsOperand() async {
    await bench.run(["add", "Milk", "--place=--server=tcp://h"])
    #expect(await complete("near", "").output == "")
    #expect(await complete("add", "Milk", "--place", "").output == "")
    #expect(await complete("near", "--", "").output == "--server=tcp\\://h\n")
  }

  @Test func candidates_forFish_followUnquotedWord() async {
    await addItems()
    let run = await bench.run(["---complete", "fish", "todo", "add", "--place", "'Corner s"])
    #expect(run.output == "corner shop\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func script_completesAliases(_ shell: String) async {
    let script = await bench.run("completion \(shell)").output
    for (alias, name) in CompletionAliases.all {
      #expect(script.contains("\(alias)"), "\(alias)")
      let command =
        switch shell {
        case "bash": "\(alias)) subcommand='\(name)' ;;"
        case "zsh": "\(alias)) words[1]='\(name)' ;;"
        default: "case '\(alias)'\n            set unparsed_tokens[1] '\(name)'"
        }
      #expect(script.contains(command), "\(alias)")
    }
    #expect(CompletionAliases.all.contains { $0 == ("ls", "list") })
  }
}
