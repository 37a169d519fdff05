import Testing
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct TrashCommandTests {
  let bench = TestBench()

  /// Adds three items, and deletes the third and then the first. Sets the width of the output.
  private func fill() async {
    bench.change { $0.environment["COLUMNS"] = "80" }
    for title in ["Milk", "Rent", "\u{1B}Call"] { await bench.run(["add", title]) }
    await bench.run("delete 3")
    bench.clock.advance(by: .seconds(60))
    await bench.run("delete 1")
  }

  private func useTerminal(answering answers: String...) {
    bench.change {
      $0.isInteractive = true
      $0.environment["NO_COLOR"] = "1"
      $0.answers = answers
    }
  }

  @Test func trash_listsDeletedItems_latestFirst() async {
    await fill()
    #expect(
      await bench.run("trash")
        == .init(
          status: .success,
          output: """
            Deleted (2)
              1  Milk        today 10:16:42  kept until Fri 29 May
              3  \\u{1B}Call  today 10:15:42  kept until Fri 29 May

            """, error: ""))
    #expect(await bench.run("trash -q").output == "\(TestBench.id(1))\n\(TestBench.id(3))\n")
    #expect(await bench.run("list -q").output == "\(TestBench.id(2))\n")
  }

  @Test func trash_whenPlain_printsFieldsWithTabs() async {
    await fill()
    #expect(
      await bench.run("trash --plain").output == """
        1\ttodo\t\tMilk\t\t\(TestBench.id(1))\t2026-04-29T08:16:42Z
        3\ttodo\t\t\\u{1B}Call\t\t\(TestBench.id(3))\t2026-04-29T08:15:42Z

        """)
    for option in ["--json", "-q", "--empty"] {
      #expect(await bench.run("trash --plain --yes \(option)").status == .usage)
    }
  }

  @Test func trash_whenJSON_printsTimes() async {
    await fill()
    let json = await bench.run("trash --json").output
    #expect(json.hasPrefix("{\n  \"revision\": 5,\n  \"items\": [\n    {\n      \"id\": \"\(TestBench.id(1))\","))
    #expect(
      json.contains(
        """
              "deleteTime": "2026-04-29T08:16:42Z",
              "expireTime": "2026-05-29T08:16:42Z"
            },

        """))
    #expect(await !bench.run("list --json").output.contains("deleteTime"))
  }

  @Test(arguments: ["trash", "trash --empty --yes"]) func trash_whenEmpty_printsNotice(_ line: String) async {
    await bench.run("add Milk")
    #expect(await bench.run(line) == .init(status: .success, output: "", error: "The trash is empty.\n"))
    #expect(await bench.run("trash -q") == .init(status: .success, output: "", error: ""))
  }

  @Test func empty_whenYes_removesItemsPermanently() async {
    await fill()
    #expect(
      await bench.run("trash --empty --yes")
        == .init(status: .success, output: "Purged 2 deleted items.\n", error: ""))
    #expect(await bench.run("trash -q").output == "")
    #expect(await bench.run("restore 1").status == .notFound)
    #expect(await bench.run("list -q").output == "\(TestBench.id(2))\n")
  }

  @Test func empty_whenJSON_printsCount() async {
    await fill()
    #expect(
      await bench.run("trash --empty --yes --json").output == """
        {
          "deletedCount": 2,
          "ids": null,
          "revision": 5
        }

        """)
  }

  @Test func empty_withoutTerminal_isRejected() async {
    await fill()
    let run = await bench.run("trash --empty")
    #expect(run.status == .usage)
    #expect(
      run.error == """
        Error: Purge all deleted items? They can't be restored. Nobody can answer here; use '--yes' to agree

        """)
    #expect(await bench.run("trash -q").output.split(separator: "\n").count == 2)
  }

  @Test(arguments: [("y", true), ("n", false), ("", false)])
  func empty_onTerminal_prompts(_ answer: String, _ removes: Bool) async {
    await fill()
    useTerminal(answering: answer)
    let run = await bench.run("trash --empty")
    #expect(run.status == (removes ? .success : .failure))
    #expect(
      run.error == "Purge 2 deleted items? They can't be restored. [y/N] " + (removes ? "" : "Nothing was purged.\n"))
    #expect(run.output == (removes ? "Purged 2 deleted items.\n" : ""))
  }

  @Test func empty_onTerminalWithoutDeletedItems_doesNotPrompt() async {
    useTerminal()
    #expect(await bench.run("trash --empty") == .init(status: .success, output: "", error: "The trash is empty.\n"))
  }

  @Test func trash_withArgument_isUsageError() async {
    #expect(await bench.run("trash 1").status == .usage)
  }
}
