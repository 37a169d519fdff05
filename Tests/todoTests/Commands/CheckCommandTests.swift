import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct CheckCommandTests {
  let bench = TestBench()

  private func fill() async {
    for title in ["Milk", "Rent", "Call"] { await bench.run("add \(title)") }
  }

  @Test func check_marksItemsAsDone() async {
    await fill()
    let run = await bench.run("check 1 3")
    #expect(
      run
        == .init(
          status: .success, output: "Checked 1: Milk\nChecked 3: Call\n", error: ""))
    #expect(await bench.run("list --todo -q").output == "\(TestBench.id(2))\n")
  }

  @Test func uncheck_marksItemsAsIncomplete() async {
    await fill()
    await bench.run("check 1")
    #expect(await bench.run("uncheck 1").output == "Unchecked 1: Milk\n")
    #expect(await bench.run("list --done -q").output == "")
  }

  @Test(arguments: ["1", "Milk"]) func check_whenItemIsDone_saysSo(_ item: String) async throws {
    await fill()
    await bench.run("add 'Milk powder'")
    await bench.run("check 1")
    let revision = try await bench.service.item(TestBench.id(1)).revision
    #expect(
      await bench.run("check \(item)") == .init(status: .success, output: "", error: "1 'Milk' is already done\n"))
    #expect(await bench.run("check -q 1") == .init(status: .success, output: "\(TestBench.id(1))\n", error: ""))
    #expect(await bench.run("check --json 1").output.contains("\"done\": true"))
    #expect(try await bench.service.item(TestBench.id(1)).revision == revision)
    #expect(await bench.run("list --todo -q").output.split(separator: "\n").count == 3)
  }

  @Test func uncheck_whenItemIsIncomplete_saysSo() async {
    await fill()
    #expect(
      await bench.run("uncheck 1") == .init(status: .success, output: "", error: "1 'Milk' is already incomplete\n"))
  }

  @Test func check_whenSomeItemsAreUnknown_checksOthersAndReportsEach() async {
    await fill()
    let run = await bench.run("check 1 0199 7 2")
    #expect(run.status == .notFound)
    #expect(run.output == "Checked 1: Milk\nChecked 2: Rent\n")
    #expect(
      run.error == """
        Error: no item has an ID that begins with '0199'; 'todo list -q' prints the IDs
        Error: no item has the number 7; 'todo list' prints the numbers

        """)
  }

  @Test func check_whenIDIsRepeated_checksOnce() async {
    await bench.run("add Milk")
    #expect(await bench.run("check 01 0198").output == "Checked 1: Milk\n")
  }

  @Test func check_whenJSON_printsItemOrArray() async {
    await fill()
    let one = await bench.run("check --json 1").output
    #expect(one.hasPrefix("{\n  \"id\": \"\(TestBench.id(1))\","))
    #expect(one.contains("\"done\": true"))
    #expect(one.contains("\"completeTime\": \"2026-04-29T08:15:42Z\""))
    let several = await bench.run("check --json 2 0199")
    #expect(several.status == .notFound)
    #expect(several.output.hasPrefix("[\n  {\n    \"id\": \"\(TestBench.id(2))\","))
    #expect(several.error.hasPrefix("{\"error\": {\"code\": \"NOT_FOUND\""))
    #expect(await bench.run("check --json 0199 0188").output == "[]\n")
  }

  @Test func check_whenQuiet_printsIDs() async {
    await fill()
    #expect(await bench.run("check -q 2").output == "\(TestBench.id(2))\n")
  }

  @Test func check_whenServiceBecomesUnavailable_stops() async {
    let bench = TestBench(service: FailingService(error: .storeUnavailable(detail: "no disk\u{7}")))
    let run = await bench.run("check \(TestBench.id(1)) \(TestBench.id(2))")
    #expect(run == .init(status: .unreachable, output: "", error: "Error: the store is unavailable: no disk\\u{7}\n"))
  }

  @Test func check_withoutID_isUsageError() async {
    #expect(await bench.run("check").status == .usage)
  }
}
