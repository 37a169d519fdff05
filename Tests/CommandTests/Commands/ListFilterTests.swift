import ProgramSupport
import TestSupport
import Testing
import ToDoModel

@testable import todo

/// The options of `list` that select and order items. The time is Wednesday, 29 April 2026.
@Suite(.timeLimited) struct ListFilterTests {
  let bench = TestBench()

  private func fill() async {
    await bench.run("add 'Pay the rent' --due yesterday")
    await bench.run("add 'Buy milk' --due 'today 23:00' --place 'Corner shop' --at 48.1,11.5")
    await bench.run("add 'Apply' --due today")
    await bench.run("add 'Water plants' --due 'next wed'")
    await bench.run("add 'Fly' --due 2027-01-03 --at 48.2,11.5")
    await bench.run("add 'Call Ann'")
  }

  private func titles(_ arguments: String) async -> [String] {
    let ids = await bench.run("list -q \(arguments)").output.split(separator: "\n")
    var titles: [String] = []
    for id in ids { titles.append(String(await bench.run("show \(id)").output.prefix { $0 != "\n" })) }
    return titles
  }

  @Test(arguments: [
    ("overdue", ["Pay the rent"]), ("today", ["Buy milk", "Apply"]), ("week", ["Buy milk", "Apply", "Water plants"]),
    ("none", ["Call Ann"]), ("'before tomorrow'", ["Pay the rent", "Buy milk", "Apply"]),
    ("'before today 23:00'", ["Pay the rent"]), ("yesterday", ["Pay the rent"]),
    (
      "'Before 2027-01-03'",
      [
        "Pay the rent", "Buy milk", "Apply", "Water plants",
      ]
    ), ("2027-01-03", ["Fly"]),
  ])
  func due_selectsItems(_ when: String, _ expected: [String]) async {
    await fill()
    #expect(await titles("--due \(when)") == expected)
  }

  @Test(arguments: [
    ("someday", "'someday' is not a date or time"), ("'today 17:00'", "'today 17:00' is not a day; use today, week"),
    ("before", "'--due before' needs a date or time"), ("'before someday'", "'someday' is not a date or time"),
  ])
  func due_whenInvalid_isRejected(_ when: String, _ message: String) async {
    let run = await bench.run("list --due \(when)")
    #expect(run.status == .usage)
    #expect(run.error.contains(message))
  }

  @Test func placeAndText_selectItems() async {
    await fill()
    #expect(await titles("--at 'corner SHOP'") == ["Buy milk"])
    #expect(await titles("milk") == ["Buy milk"])
    #expect(await titles("pay the") == ["Pay the rent"])
    #expect(await titles("--due today --at shop milk") == ["Buy milk"])
    #expect(await bench.run("list --at Nowhere").error.contains("No item matches."))
    #expect(await bench.run("list milk --search milk").status == .usage)
  }

  @Test func sort_ordersItems() async {
    await fill()
    #expect(await titles("--sort title") == ["Apply", "Buy milk", "Call Ann", "Fly", "Pay the rent", "Water plants"])
    #expect(await titles("--sort created").prefix(2) == ["Pay the rent", "Buy milk"])
    await bench.run("edit 6 --note Birthday")
    #expect(await titles("--sort updated").first == "Call Ann")
    #expect(await titles("--sort due").first == "Pay the rent")
    let run = await bench.run("list --sort distance")
    #expect(run.status == .usage)
    #expect(run.error.contains("set TODO_PLACE"))
    bench.change { $0.environment["TODO_PLACE"] = "48.21,11.5" }
    #expect(await titles("--sort distance").prefix(2) == ["Fly", "Buy milk"])
    #expect(await bench.run("list --sort size").status == .usage)
  }
}
