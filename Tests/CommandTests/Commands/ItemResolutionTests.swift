import ProgramSupport
import Testing
import ToDoModel

@testable import todo

/// What is accepted as an id, by the commands that take one.
@Suite struct ItemResolutionTests {
  let bench = TestBench()

  @Test(arguments: [
    "0", "0198", "0198C0DE", "0198c0de-0001", "0198c0de-", "0198c0de0001", "0198c0de-0001-7000-8000-000000000001",
    "0198C0DE000170008000000000000001",
  ])
  func id_isAnyUniquePrefixWithHyphensOrWithout(id: String) async {
    await bench.run("add Milk")
    #expect(await bench.run("show -q \(id)").output == "0198c0de-0001-7000-8000-000000000001\n")
  }

  @Test func id_whenSeveralItemsHaveThePrefix_listsThem() async {
    await bench.run("add Milk")
    await bench.run("add \u{1B}Rent")
    let run = await bench.run("check 0198")
    #expect(run.status == .usage)
    #expect(
      run.error == """
        Error: '0198' is the beginning of 2 ids; write more of it
          0198c0de-0001  Milk
          0198c0de-0002  \\u{1B}Rent

        """)
    #expect(await bench.run("list --done -q").output == "")
  }

  @Test func id_whenManyItemsHaveThePrefix_listsSomeOfThem() async {
    for number in 1...13 { await bench.run("add \(number)") }
    let lines = await bench.run("show 01").error.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.last == "  and 3 more")
  }

  @Test(arguments: ["1", "0199", "0198c0de-0002", "0198c0de-0001-7000-8000-000000000002"])
  func id_whenNoItemHasThePrefix_isNotFound(id: String) async {
    await bench.run("add Milk")
    let run = await bench.run("show \(id)")
    #expect(run.status == .notFound)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("Error: there is no item "))
    let json = await bench.run("show --json \(id)")
    #expect(json.error.hasPrefix("{\"error\": {\"code\": \"NOT_FOUND\", \"reason\": \"ITEM_NOT_FOUND\", "))
  }

  @Test(arguments: ["milk", "", "-", "0198c0de-0001-7000-8000-0000000000011", "#1", "٣"])
  func id_whenItIsNone_isWrongUsage(id: String) async {
    await bench.run("add Milk")
    let run = await bench.run(["show", "--", id])
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: '\(id)' is not an id"))
  }

  @Test func shortestPrefixes_areUniqueAndAtLeastFourDigits() {
    let ids = [
      ItemID(high: 0x0198_c0de_0000_7000, low: 0x8000_0000_0000_0001),
      ItemID(high: 0x0198_c0de_0000_7000, low: 0x8000_0000_0000_0002),
      ItemID(high: 0x0198_c0de_1000_7000, low: 0x8000_0000_0000_0000),
      ItemID(high: 0xffff_c0de_1000_7000, low: 0x8000_0000_0000_0000),
    ]
    let prefixes = ShortestPrefixes(of: ids.reversed())
    #expect(prefixes[ids[0]] == "0198c0de-0000-7000-8000-000000000001")
    #expect(prefixes[ids[1]] == "0198c0de-0000-7000-8000-000000000002")
    #expect(prefixes[ids[2]] == "0198c0de-1")
    #expect(prefixes[ids[3]] == "ffff")
    #expect(ids.allSatisfy { id in ids.filter { IDPrefix(prefixes[id])?.matches($0) == true } == [id] })
    #expect(prefixes[ItemID(high: 0xffff_c0de_1234_7000, low: 0)] == "ffffc0de-1234")
  }
}
