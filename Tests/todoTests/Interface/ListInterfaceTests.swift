import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoScreens
@testable import todo

/// Tests of `todo ui` with the lists Inbox, with the item "Milk", and Work, with the item "Report".
@Suite(.unitTimeLimited) struct ListInterfaceTests {
  private let ui: InterfaceBench
  private let work = NewList(name: "Work", color: .blue)
  private var bench: TestBench { ui.command }
  private var probe: ScreenProbe { ui.probe }
  private var items: any ToDoService { bench.lists.items(in: work.id) }

  init() async throws {
    ui = try await InterfaceBench()
    _ = try await bench.lists.createList(work)
    _ = try await items.addItem(NewItem(id: TestBench.id(8), content: ItemContent(title: "Report")))
  }

  /// Switches from the default list to Work.
  private func showWork() async {
    await probe.waitForWindow(with: "Milk")
    probe.type("L")
    await probe.waitForWindow(with: "● Work")
    probe.type("j\r")
    await probe.waitForWindow(with: "Report")
  }

  @Test func otherList_isShownWatchedAndChanged() async throws {
    async let run = bench.run("ui")
    await showWork()
    let window = await probe.waitForWindow(with: "Report")
    #expect(window.hasPrefix("● Work\nTo do (1)\n>  1  Report\n"))
    _ = try await items.addItem(NewItem(id: TestBench.id(9), content: ItemContent(title: "Slides")))
    await probe.waitForWindow(with: "Slides")
    probe.type(" ")
    await probe.waitForWindow(with: "Done (1)")
    probe.type("L")
    await probe.waitForWindow(with: "Inbox")
    probe.type("k\r")
    let milk = await probe.waitForWindow(with: "Milk")
    #expect(milk.hasPrefix("To do (1)\n"))
    probe.type("q")
    #expect(await run.status == .success)
    #expect(try await items.item(TestBench.id(8)).isDone)
    #expect(try await !ui.item().isDone)
  }

  @Test func newList_isCreatedAndReceivesItems() async throws {
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "Milk")
    probe.type("L")
    await probe.waitForWindow(with: "Work")
    probe.type("nHome\r")
    await probe.waitForWindow(with: "created 'Home'")
    probe.type("\r")
    await probe.waitForWindow(with: "The list is empty.")
    probe.type("aLamp\r")
    await probe.waitForWindow(with: "> *1  Lamp")
    probe.type("q")
    #expect(await run.status == .success)
    let home = try #require(try await bench.lists.lists().lists.first { $0.name == "Home" })
    #expect(try await bench.lists.items(in: home.id).items(ItemQuery()).items.map(\.title) == ["Lamp"])
  }

  @Test func shownList_whenRenamedElsewhere_hasItsNewName() async throws {
    async let run = bench.run("ui")
    await showWork()
    _ = try await bench.lists.updateList(work.id, ListEdit(name: "Office"), ifVersion: nil)
    await probe.waitForWindow { $0.hasPrefix("● Office\n") }
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func shownList_whenDeletedElsewhere_isReplacedByDefaultList() async throws {
    async let run = bench.run("ui")
    await showWork()
    _ = try await bench.lists.deleteList(work.id)
    let window = await probe.waitForWindow { $0.contains("was deleted") && $0.contains("Milk") }
    #expect(window.hasPrefix("To do (1)\n"))
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test(arguments: ["ui", "ui --plain"])
  func watch_whenItsListIsDeleted_isThatOfDefaultList(command: String) async throws {
    let deleted = try await bench.lists.deleteList(work.id)
    bench.change { $0.selectedList = deleted }
    if command == "ui" {
      async let run = bench.run(command)
      await probe.waitForWindow { $0.contains("the list 'Work' was deleted") && $0.contains("Milk") }
      probe.type("q")
      #expect(await run.status == .success)
    } else {
      let run = await bench.run(command)
      #expect(run.status == .success)
      #expect(run.output.hasPrefix("To do (1)\n>  1  Milk\n") && run.output.contains("the list 'Work' was deleted"))
    }
  }

  @Test func selectedList_isShownFirst() async throws {
    let list = try await bench.lists.list(work.id)
    bench.change { $0.selectedList = list }
    async let run = bench.run("ui")
    let window = await probe.waitForWindow(with: "Report")
    #expect(window.hasPrefix("● Work\nTo do (1)\n>  1  Report\n"))
    probe.type("q")
    #expect(await run.status == .success)
  }

  @Test func lines_showCreateAndRenameLists() async throws {
    bench.change {
      $0.answers = ["lists", "new Home", "rename House", "enter", "add Lamp", "lists", "bottom", "enter", "quit"]
    }
    let run = await bench.run("ui --plain")
    #expect(run.status == .success)
    #expect(run.output.contains("\nLists\n>* ● Inbox\n   ● Work\n"))
    #expect(run.output.contains("\n● House\nTo do (1)\n> *1  Lamp\n"))
    #expect(run.output.contains("\n● Work\nTo do (1)\n>  1  Report\n"))
    #expect(try await bench.lists.lists().lists.map(\.name) == ["Inbox", "House", "Work"])
  }

  @Test func lists_standBesideItemsOfWideWindow_andAreLive() async throws {
    let wide = try await InterfaceBench(columns: 150)
    let lists = wide.command.lists
    _ = try await lists.createList(work)
    let items = lists.items(in: work.id)
    _ = try await items.addItem(NewItem(id: TestBench.id(8), content: ItemContent(title: "Report")))
    async let run = wide.command.run("ui")
    // The list with its number of items.
    await wide.probe.waitForWindow { window in
      let lines = window.split(separator: "\n")
      return window.contains("Milk") && lines.contains { $0.hasPrefix("   ● Work ") && $0.contains(" 1       │") }
    }
    _ = try await lists.createList(NewList(name: "Home"))
    await wide.probe.waitForWindow(with: "   ● Home ")
    // Shift-Tab, then down to the list whose name is the last.
    wide.probe.type("\u{1B}[ZG\r")
    await wide.probe.waitForWindow(with: "Report")
    _ = try await lists.updateList(work.id, ListEdit(name: "Office"), ifVersion: nil)
    await wide.probe.waitForWindow(with: " * ● Office")
    wide.probe.type("q")
    #expect(await run.status == .success)
  }
}
