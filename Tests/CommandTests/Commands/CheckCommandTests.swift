import ProgramSupport
import Testing
import ToDoModel

@testable import todo

@Suite struct CheckCommandTests {
  let bench = TestBench()

  private func fill() async {
    for title in ["Milk", "Rent", "Call"] { await bench.run("add \(title)") }
  }

  @Test func check_marksItemsAsDone() async {
    await fill()
    let run = await bench.run("check 0198c0de-0001 0198c0de-0003")
    #expect(
      run
        == .init(
          status: .success, output: "Checked 0198c0de-0001: Milk\nChecked 0198c0de-0003: Call\n", error: ""))
    #expect(await bench.run("list --todo -q").output == "\(TestBench.id(2))\n")
  }

  @Test func uncheck_marksItemsAsToDoAgain() async {
    await fill()
    await bench.run("check 0198c0de-0001")
    #expect(await bench.run("uncheck 0198c0de-0001").output == "Unchecked 0198c0de-0001: Milk\n")
    #expect(await bench.run("list --done -q").output == "")
  }

  @Test func check_whenSomeAreUnknown_doesTheRestAndReportsEach() async {
    await fill()
    let run = await bench.run("check 0198c0de-0001 ffff milk 0198c0de-0002")
    #expect(run.status == .notFound)
    #expect(run.output == "Checked 0198c0de-0001: Milk\nChecked 0198c0de-0002: Rent\n")
    #expect(
      run.error == """
        Error: there is no item whose id begins with 'ffff'
        Error: 'milk' is not an id: write the beginning of an id as `todo list` shows it

        """)
  }

  @Test func check_whenNamedTwice_isDoneOnce() async {
    await bench.run("add Milk")
    #expect(await bench.run("check 01 0198").output == "Checked 0198: Milk\n")
  }

  @Test func check_whenJSON_printsTheItemOrAnArrayOfThem() async {
    await fill()
    let one = await bench.run("check --json 0198c0de-0001").output
    #expect(one.hasPrefix("{\n  \"id\": \"\(TestBench.id(1))\","))
    #expect(one.contains("\"done\": true"))
    #expect(one.contains("\"completeTime\": \"2026-04-29T08:15:42Z\""))
    let several = await bench.run("check --json 0198c0de-0002 ffff")
    #expect(several.status == .notFound)
    #expect(several.output.hasPrefix("[\n  {\n    \"id\": \"\(TestBench.id(2))\","))
    #expect(several.error.hasPrefix("{\"error\": {\"code\": \"NOT_FOUND\""))
    #expect(await bench.run("check --json ffff eeee").output == "[]\n")
  }

  @Test func check_whenQuiet_printsIDs() async {
    await fill()
    #expect(await bench.run("check -q 0198c0de-0002").output == "\(TestBench.id(2))\n")
  }

  @Test func check_whenTheServiceGoesAway_stops() async {
    let bench = TestBench(service: FailingService(error: .storeUnavailable(detail: "no disk\u{7}")))
    let run = await bench.run("check \(TestBench.id(1)) \(TestBench.id(2))")
    #expect(run == .init(status: .unreachable, output: "", error: "Error: the store is unavailable: no disk\\u{7}\n"))
  }

  @Test func check_withoutAnID_isWrongUsage() async {
    #expect(await bench.run("check").status == .usage)
  }
}
