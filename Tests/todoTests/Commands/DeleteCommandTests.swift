import Testing
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct DeleteCommandTests {
  let bench = TestBench()

  private func fill() async {
    for title in ["Milk", "Rent", "Call"] { await bench.run("add \(title)") }
    await bench.run("check 3")
  }

  private func count() async -> Int { await bench.run("list -q").output.split(separator: "\n").count }

  private func useTerminal(answering answers: String...) {
    bench.change {
      $0.isInteractive = true
      $0.environment["NO_COLOR"] = "1"
      $0.answers = answers
    }
  }

  @Test func delete_byID_deletesWithoutPrompt() async {
    await fill()
    let run = await bench.run("delete 1 3")
    #expect(run.output == "Deleted 1: Milk\nDeleted 3: Call\n")
    #expect(run.error == "")
    #expect(await count() == 1)
    #expect(await bench.run("delete 1").status == .notFound)
  }

  @Test func delete_whenQuietOrJSON_printsIDs() async {
    await fill()
    #expect(await bench.run("delete -q 1").output == "\(TestBench.id(1))\n")
    #expect(
      await bench.run("delete --json 2").output == """
        {
          "deletedCount": 1,
          "ids": [
            "\(TestBench.id(2))"
          ],
          "revision": 6
        }

        """)
  }

  @Test(arguments: [("--all", "all items"), ("--done", "all done items")])
  func deleteAll_withoutTerminal_isRejected(option: String, items: String) async {
    await fill()
    let run = await bench.run("delete \(option)")
    #expect(run.status == .usage)
    #expect(run.error == "Error: Delete \(items)? Nobody can answer here; use '--yes' to agree\n")
    #expect(await count() == 3)
  }

  @Test func deleteAll_whenNoInputOnTerminal_isRejected() async {
    await fill()
    useTerminal(answering: "y")
    #expect(await bench.run("delete --all --no-input").status == .usage)
    #expect(await count() == 3)
  }

  @Test func deleteAll_whenYes_deletesWithoutPrompt() async {
    await fill()
    #expect(await bench.run("delete --done --yes").output == "Deleted 1 done item.\n")
    #expect(
      await bench.run("delete --all --yes --json").output == """
        {
          "deletedCount": 2,
          "ids": null,
          "revision": 6
        }

        """)
    #expect(await bench.run("delete --all --yes -q").output == "")
  }

  @Test(arguments: ["y", "Y", "yes", " YES "])
  func deleteAll_whenUserConfirms_deletes(answer: String) async {
    await fill()
    useTerminal(answering: answer)
    let run = await bench.run("delete --all")
    #expect(
      run
        == .init(
          status: .success, output: "Deleted 3 items.\n",
          error: "Delete 3 items? [y/N] 'todo undo' restores them.\n"))
  }

  @Test(arguments: [
    ("1", "'todo undo' restores it.\n"), ("1-3", "'todo undo' restores them.\n"), ("1 -q", ""), ("1 --json", ""),
    ("--all --yes", "'todo undo' restores them.\n"), ("--done --yes", "'todo undo' restores it.\n"),
  ])
  func delete_onTerminal_printsHowToRestore(_ arguments: String, _ hint: String) async {
    await fill()
    useTerminal()
    #expect(await bench.run("delete \(arguments)").error == hint)
  }

  @Test(arguments: [["n"], [""], ["yesterday"], []])
  func deleteAll_whenUserDeclines_deletesNothing(answers: [String]) async {
    await fill()
    useTerminal()
    bench.change { $0.answers = answers }
    let run = await bench.run("delete --done")
    #expect(run.status == .failure)
    #expect(run.error == "Delete 1 done item? [y/N] Nothing was deleted.\n")
    #expect(await count() == 3)
  }

  @Test func deleteAll_whenNothingMatches_doesNotPrompt() async {
    useTerminal()
    #expect(await bench.run("delete --done").output == "Deleted 0 done items.\n")
  }

  @Test(arguments: ["delete", "delete --all --done", "delete 0198 --all"])
  func delete_whenSelectionIsAmbiguous_isUsageError(line: String) async {
    await bench.run("add Milk")
    #expect(await bench.run(line + " --yes").status == .usage)
    #expect(await count() == 1)
  }
}
