import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// Tags and priorities in commands.
@Suite(.unitTimeLimited) struct TagOptionTests {
  private let bench = TestBench()

  private func item(_ number: UInt64) async throws -> ToDoItem { try await bench.service.item(TestBench.id(number)) }

  private func fill() async {
    await bench.run("add 'Buy milk' --tag errands --tag home/kitchen --priority high")
    await bench.run("add Call Tom tomorrow +work/urgent !!")
    await bench.run("add Rest")
  }

  @Test func add_withOptionsAndWords_hasTagsOfBoth() async throws {
    let run = await bench.run("add Buy milk +errands '!' --tag '#Home, errands' --tag x/y")
    #expect(run.output == "Added 1: Buy milk · #errands #Home #x/y · low priority\n")
    #expect(try await item(1).tags == ["errands", "Home", "x/y"])
    #expect(await bench.run("add Tea '!!' --priority none").output == "Added 2: Tea\n")
  }

  @Test(arguments: [
    ("add Milk --tag 12", "INVALID_TAG"), ("add Milk --tag ''", "INVALID_TAG"),
    ("add Milk --priority urgent", "INVALID_PRIORITY"), ("list --tag ''", "INVALID_TAG"),
    ("check --tag ''", "INVALID_TAG"), ("check --any-tag ' , '", "INVALID_TAG"), ("edit 1 --untag '!'", "INVALID_TAG"),
  ])
  func invalidValue_isRejected(_ line: String, _ reason: String) async throws {
    await fill()
    let run = await bench.run("\(line) --json")
    #expect(run.status == .usage)
    #expect(run.error.contains("\"reason\": \"\(reason)\""))
    #expect(try await bench.service.items(ItemQuery(state: .done)).items.isEmpty)
    #expect(try await bench.service.items(ItemQuery()).items.count == 3)
  }

  @Test func edit_addsAndRemovesTags() async throws {
    await fill()
    await bench.run("edit 1 --tag garden --tag ERRANDS --untag Home/Kitchen")
    #expect(try await item(1).tags == ["errands", "garden"])
    #expect(try await item(1).priority == .high)
    await bench.run("edit 1 --no-tags --tag only --no-priority")
    #expect((try await item(1).tags, try await item(1).priority) == (["only"], nil))
    await bench.run("edit 1 2 --priority low")
    #expect((try await item(1).priority, try await item(2).priority) == (.low, .low))
    #expect(await bench.run("log --limit 1").output.contains("priority  medium → low"))
  }

  @Test(
    arguments: [
      ("--tag errands", [1]), ("--tag home", [1]), ("--any-tag work --any-tag errands", [2, 1]),
      ("--no-tag work", [1, 3]),
      ("--priority high --priority none", [1, 3]), ("--tag nothing", []), ("milk --tag home", [1]),
      ("--sort priority", [1, 2, 3]), ("--sort urgency", [2, 1, 3]),
    ] as [(String, [UInt64])])
  func list_selectsItems(_ options: String, _ numbers: [UInt64]) async {
    await fill()
    let run = await bench.run("list -q \(options)")
    #expect(run.output == numbers.map { "\(TestBench.id($0))\n" }.joined())
  }

  @Test func list_showsMarks() async {
    await fill()
    let output = await bench.run("list").output
    #expect(output.contains("  1  !!! Buy milk #errands #home/kitchen\n"))
    #expect(output.contains("  2  !! Call Tom #work/urgent"))
    #expect(output.contains("  3  Rest\n"))
    let details = await bench.run("show 1").output
    #expect(details.contains("  priority    high\n  tags        #errands #home/kitchen\n"))
  }

  @Test func tags_areCountedWithThoseAbove() async {
    #expect(
      await bench.run("tags").error == "No incomplete item has a tag. Add one with: todo add 'Buy milk' --tag errands\n"
    )
    await fill()
    await bench.run("add Mop --tag home/floor --tag Home/kitchen")
    #expect(
      await bench.run("tags").output == """
        2  #home
        2  #home/kitchen
        1  #errands
        1  #home/floor
        1  #work
        1  #work/urgent

        """)
    #expect(await bench.run("tags -q").output.hasPrefix("home\nhome/kitchen\n"))
    #expect(await bench.run("tags --json").output.hasPrefix("[\n  {\n    \"tag\": \"home\",\n    \"count\": 2\n  },"))
    await bench.run("check 1 4")
    #expect(await bench.run("tags -q").output == "work\nwork/urgent\n")
  }

  @Test func rename_changesTagOfAllItems_andIsUndone() async throws {
    await fill()
    await bench.run("add Mop --tag Work")
    await bench.run("check 4")
    let run = await bench.run("tags rename work +job/now")
    #expect(run == .init(status: .success, output: "Renamed #work to #job/now on 2 items.\n", error: ""))
    #expect(try await item(2).tags == ["job/now/urgent"])
    #expect(try await item(4).tags == ["job/now"])
    #expect(await bench.run("log --limit 1").output.contains("#work/urgent → #job/now/urgent"))
    #expect(await bench.run("undo").status == .success)
    #expect(try await item(2).tags == ["work/urgent"])
    #expect(try await item(4).tags == ["Work"])
  }

  @Test func rename_inOtherFormats_printsCountAndRevision() async throws {
    await fill()
    #expect(
      await bench.run("tags rename home house --json").output == "{\n  \"renamedCount\": 1,\n  \"revision\": 4\n}\n")
    #expect(await bench.run("tags rename house home -q").output == "")
    #expect(await bench.run("tags rename home house").output == "Renamed #home to #house on 1 item.\n")
    let run = await bench.run("tags rename home house")
    #expect(run == .init(status: .success, output: "", error: "No item has the tag #home.\n"))
  }

  @Test func rename_whenInvalid_isRefused() async throws {
    await fill()
    for line in ["tags work", "tags rename", "tags rename work", "tags rename work job now", "tags rename work 'a,b'"] {
      #expect(await bench.run(line).status == .usage)
    }
    #expect(await bench.run("tags rename 12 job --json").error.contains("\"reason\": \"INVALID_TAG\""))
    let run = await bench.run("tags rename work work/urgent")
    #expect(run.status == .usage)
    #expect(run.error.contains("<new-tag> must not be a tag below 'work'\n"))
    #expect(try await item(2).tags == ["work/urgent"])
  }

  @Test func tags_areCompleted() async {
    await fill()
    #expect(
      await bench.run(["---complete", "zsh", "todo", "list", "--tag", "wo"]).output
        == "work:1 item\nwork/urgent:1 item\n")
    #expect(await bench.run(["---complete", "zsh", "todo", "add", "Milk", "+er"]).output == "+errands:1 item\n")
    #expect(await bench.run(["---complete", "zsh", "todo", "edit", "1", "--priority", "m"]).output == "medium\n")
    #expect(await bench.run(["---complete", "zsh", "todo", "tags", ""]).output == "rename\n")
    #expect(await bench.run(["---complete", "zsh", "todo", "tags", "rename", "er"]).output == "errands:1 item\n")
    #expect(await bench.run(["---complete", "zsh", "todo", "tags", "rename", "x", "er"]).output == "errands:1 item\n")
    #expect(await bench.run(["---complete", "zsh", "todo", "tags", "rename", "x", "y", "er"]).output == "")
  }

  @Test(arguments: [
    ("add A --tag 'a!b'", "--tag: 'a!b' is not a tag"), ("edit 1 --tag 'a!b'", "--tag: 'a!b' is not a tag"),
    ("edit 1 --untag 'a!b'", "--untag: 'a!b' is not a tag"), ("list --any-tag 'a!b'", "--any-tag: 'a!b' is not a tag"),
    ("list --no-tag 'a!b'", "--no-tag: 'a!b' is not a tag"), ("list --tag ''", "--tag: "),
    ("add A --priority top", "--priority: 'top' is not a priority"),
    ("edit 1 --priority top", "--priority: 'top' is not a priority"),
    ("list --priority top", "--priority: 'top' is not a priority"),
    ("add A --repeat soon", "--repeat: 'soon' is not a repetition"),
    ("edit 1 --repeat 'every 6 hours'", "--repeat: 'every 6 hours' repeats within a day"),
  ])
  func value_whenInvalid_isReportedWithItsOption(_ line: String, _ error: String) async {
    await fill()
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error.hasPrefix("Error: \(error)"))
  }

  @Test func list_ofAWordThatLooksLikeATag_saysHowToSelectTags() async {
    await fill()
    #expect(
      await bench.run("list '#errands'").error.hasPrefix(
        "'#errands' is searched in texts; '--tag errands' lists the items with that tag.\n"))
    #expect(await !bench.run("list errands '#' '#1'").error.contains("--tag"))
  }
}
