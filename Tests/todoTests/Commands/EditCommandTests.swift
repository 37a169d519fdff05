import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct EditCommandTests {
  let bench = TestBench()

  private func addFull() async {
    await bench.run([
      "add", "Parcel", "--due", "fri", "--note", "card", "--place", "Post", "--address", "Markt 1", "--at", "1,2",
    ])
  }

  private func content() async throws -> ItemContent { try await bench.service.item(TestBench.id(1)).content }

  @Test(arguments: ["--due none", "--due None", "--no-due"]) func edit_whenDueIsNone_clearsIt(_ option: String) async {
    await bench.run("add Call --due 'fri 18:00'")
    #expect(await bench.run("edit 1 \(option)") == .init(status: .success, output: "Edited 1: Call\n", error: ""))
  }

  @Test func edit_changesGivenFieldsOnly() async throws {
    await addFull()
    let run = await bench.run("edit 0198 --title 'Big parcel' --due 'tomorrow 9:00'")
    #expect(run.output == "Edited 1: Big parcel · tomorrow, Thu 30 Apr, 09:00 · at Post\n")
    #expect(try await content().itemDescription == "card")
    #expect(try await content().location?.address == "Markt 1")
  }

  @Test(arguments: ["--no-due", "--no-note", "--no-location", "--note ''", "--no-place --no-address --no-at"])
  func edit_clearsFields(options: String) async throws {
    await addFull()
    #expect(await bench.run("edit 0198 \(options)").status == .success)
    let content = try await content()
    #expect((content.due == nil) == options.contains("due"))
    #expect((content.itemDescription == nil) == options.contains("note"))
    #expect((content.location == nil) == (options.contains("location") || options.contains("place")))
  }

  @Test func edit_ofSeveralItems_namesThoseThatFail() async throws {
    await bench.run("add Call --repeat daily --due fri")
    await bench.run("add Write")
    await bench.run(["add", "Pay", "--note", String(repeating: "x", count: ItemContent.Limits.itemDescription)])
    let following = await bench.run("edit 1-3 --due sat --following")
    #expect(following.status == .usage)
    #expect(following.output == "Edited 1: Call · Sat 2 May · every day\n")
    #expect(
      following.error.contains("Error: 2 'Write' doesn't repeat; omit '--following'\nError: 3 'Pay' doesn't repeat"))
    let note = await bench.run(["edit", "2", "3", "--note", "+y", "--json"])
    #expect(note.status == .usage)
    #expect(note.error.contains(#""message": "3 'Pay': "#))
    #expect(
      note.error.contains(#""item": {"id": "\#(TestBench.id(3))", "number": 3, "title": "Pay"}"#))
  }

  @Test func edit_changesPartsOfPlace() async throws {
    await addFull()
    await bench.run("edit 0198 --place Bank --no-at")
    #expect(try await content().location == Location(name: "Bank", address: "Markt 1"))
    await bench.run("edit 0198 --at 3,4 --no-address")
    #expect(try await content().location == Location(name: "Bank", coordinate: Coordinate(latitude: 3, longitude: 4)))
  }

  @Test func due_whenOnlyADay_keepsTimeAndSaysSo() async {
    await bench.run("add Call --due 'thu 18:00'")
    #expect(
      await bench.run("edit 1 --due fri")
        == .init(
          status: .success, output: "Edited 1: Call · Fri 1 May, 18:00\n",
          error: "Kept the time 18:00; '--no-time' drops it.\n"))
    #expect(await bench.run("edit 1 --due 'sat 9:00'").error == "")
    #expect(await bench.run("edit 1 --due sun -q").error == "")
    #expect(
      await bench.run("edit 1 --due mon --no-time")
        == .init(status: .success, output: "Edited 1: Call · Mon 4 May\n", error: ""))
    #expect(await bench.run("edit 1 --due tue").output == "Edited 1: Call · Tue 5 May\n")
  }

  @Test func edit_ofSeveralItems_changesEach() async {
    for line in ["Call --due 'thu 18:00'", "Rent --due thu", "Milk --due 'thu 9:00'"] { await bench.run("add \(line)") }
    #expect(
      await bench.run("edit 1-3 --due mon")
        == .init(
          status: .success,
          output: """
            Edited 1: Call · Mon 4 May, 18:00
            Edited 2: Rent · Mon 4 May
            Edited 3: Milk · Mon 4 May, 09:00

            """, error: "Kept the times of day; '--no-time' drops them.\n"))
    #expect(await bench.run("edit 1 3 --note x --json").output.hasPrefix("[\n  {"))
    let run = await bench.run("edit 2 9 --no-due")
    #expect(run.status == .notFound)
    #expect(run.output == "Edited 2: Rent\n")
    #expect(await bench.run("undo 2").status == .success)
  }

  @Test(arguments: ["edit 1-2 --title x", "edit 1 2 --title x"])
  func title_whenSeveralItems_isUsageError(_ line: String) async {
    for title in ["a", "b"] { await bench.run("add \(title)") }
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: '--title' needs one item"))
  }

  @Test(arguments: [
    ("+more", "card\nmore"), ("+ 3 eggs", "card\n3 eggs"), ("+49 89 2180", "+49 89 2180"), ("new", "new"),
  ])
  func note_whenItBeginsWithPlus_isAppended(_ text: String, _ note: String) async throws {
    await addFull()
    await bench.run("edit 1 --note '\(text)'")
    #expect(try await content().itemDescription == note)
  }

  @Test func note_whenAppendedToNone_isTheNote() async throws {
    await bench.run("add Milk")
    await bench.run("edit 1 --note +oat")
    #expect(try await content().itemDescription == "oat")
  }

  @Test func edit_whenQuietOrJSON_printsItemInThatFormat() async {
    await addFull()
    #expect(await bench.run("edit 0198 --title x -q").output == "\(TestBench.id(1))\n")
    #expect(await bench.run("edit 0198 --title y --json").output.contains("\"title\": \"y\""))
  }

  @Test(arguments: [
    "edit 0198", "edit", "edit 0198 --due fri --no-due", "edit 0198 --note x --no-note",
    "edit 0198 --place x --no-place", "edit 0198 --at 1,2 --no-at", "edit 0198 --address x --no-location",
    "edit 0198 --no-at --no-location", "edit 0198 --due soon", "edit 0198 0199 --title x", "edit 0198 --title ''",
    "edit 0198 --no-time", "edit 0198 --no-time --no-due", "edit 0198 --note +",
  ])
  func edit_whenOptionsAreInvalid_isUsageError(line: String) async throws {
    await addFull()
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: "))
    #expect(try await bench.service.item(TestBench.id(1)).revision == Revision(1))
  }

  @Test func edit_whenItemIsUnknown_isNotFound() async {
    #expect(await bench.run("edit 0198 --title x").status == .notFound)
  }

  @Test func edit_thatChangesNothing_saysSo() async {
    await bench.run("add Parcel --priority high --due 'fri 9:00'")
    bench.change { $0.isInteractive = true }
    for option in ["--priority high", "--title Parcel", "--due fri", "--wait none"] {
      let run = await bench.run("edit 1 \(option)")
      #expect(run.output == "")
      #expect(run.error == "1 'Parcel' is as it was; nothing changed\n")
    }
    #expect(await bench.run("edit 1 --priority high -q").output == "\(TestBench.id(1))\n")
    #expect(await bench.run("edit 1 --priority low").output.hasPrefix("Edited "))
  }

  @Test(arguments: ["--at none", "--at NONE"]) func edit_whenCoordinateIsNone_clearsIt(_ option: String) async throws {
    await addFull()
    #expect(await bench.run("edit 1 \(option)").status == .success)
    #expect(try await content().location == Location(name: "Post", address: "Markt 1"))
    #expect(await bench.run("edit 1 --at 1,2 --no-at").status == .usage)
  }
}
