import ProgramSupport
import Testing
import ToDoModel

@testable import todo

/// Tests of the item IDs that commands accept.
@Suite struct ItemResolutionTests {
  let bench = TestBench()

  @Test(arguments: [
    "0", "0198", "0198C0DE", "0198c0de-0001", "0198c0de-", "0198c0de0001", "0198c0de-0001-7000-8000-000000000001",
    "0198C0DE000170008000000000000001",
  ])
  func id_whenPrefixIsUnique_findsItem(id: String) async {
    await bench.run("add Milk")
    #expect(await bench.run("show -q \(id)").output == "0198c0de-0001-7000-8000-000000000001\n")
  }

  @Test func id_whenPrefixIsAmbiguous_listsMatches() async {
    await bench.run("add Milk")
    await bench.run("add \u{1B}Rent")
    let run = await bench.run("check 0198")
    #expect(run.status == .usage)
    #expect(
      run.error == """
        Error: '0198' matches 2 items; use a longer prefix
          0198c0de-0001  Milk
          0198c0de-0002  \\u{1B}Rent

        """)
    #expect(await bench.run("list --done -q").output == "")
  }

  @Test func id_whenManyItemsMatch_listsFirstTen() async {
    for number in 1...13 { await bench.run("add \(number)") }
    let lines = await bench.run("show 01").error.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.last == "  and 3 more")
  }

  @Test(arguments: ["1", "0199", "0198c0de-0002", "0198c0de-0001-7000-8000-000000000002"])
  func id_whenNoItemMatches_isNotFound(id: String) async {
    await bench.run("add Milk")
    let run = await bench.run("show \(id)")
    #expect(run.status == .notFound)
    #expect(run.output == "")
    #expect(run.error.hasPrefix("Error: "))
    let json = await bench.run("show --json \(id)")
    #expect(json.error.hasPrefix("{\"error\": {\"code\": \"NOT_FOUND\", \"reason\": \"ITEM_NOT_FOUND\", "))
  }

  @Test(arguments: ["milk", "", "-", "0198c0de-0001-7000-8000-0000000000011", "#1", "٣"])
  func id_whenMalformed_isUsageError(id: String) async {
    await bench.run("add Milk")
    let run = await bench.run(["show", "--", id])
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: '\(id)' is not an item ID"))
  }

  @Test func shortestPrefixes_areUniqueWithFourDigitsOrMore() {
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
