import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo remind` with several lists, starting on Wednesday, 2026-04-29, 10:15:42 in Berlin.
@Suite(.unitTimeLimited) struct RemindListsTests {
  private let bench = TestBench()
  private let probe = ScreenProbe()
  private let programs = Programs()

  /// The programs that were run.
  private final class Programs: Sendable {
    let runs = Mutex<[(arguments: [String], environment: [String: String])]>([])
  }

  init() async {
    let programs = programs
    bench.change {
      $0.environment["TZ"] = "Europe/Berlin"
      $0.runProgram = { arguments, environment in programs.runs.withLock { $0.append((arguments, environment)) } }
    }
    await bench.run("lists create 'Home office'")
    await bench.run("add Milk --due '11:00' --remind 1h")
    await bench.run("add Report --due '11:00' --remind 50min --list home-office")
  }

  @Test func once_tellsOfAllLists_andNamesThem() async {
    #expect(
      await bench.run("remind --once").output == """
        Reminder 1: Milk · today, Wed 29 Apr, 11:00 · late, for today 10:00
        Reminder Home-office/1: Report · today, Wed 29 Apr, 11:00 · late, for today 10:10

        """)
    #expect(await bench.run("remind --once").output == "")
  }

  @Test(arguments: ["Home office", "gone"]) func listInUse_limitsNothing(_ list: String) async {
    bench.change { $0.environment["TODO_LIST"] = list }
    let output = await bench.run("remind --once -q").output
    #expect(output == "\(TestBench.id(2))\n\(TestBench.id(3))\n")
  }

  @Test func itemOfDefaultList_whenAnotherIsInUse_isNamedToo() async {
    bench.change { $0.environment["TODO_LIST"] = "Home office" }
    let output = await bench.run("remind --once").output
    #expect(output.contains("Reminder Inbox/1: Milk") && output.contains("Reminder Home-office/1: Report"))
  }

  @Test(arguments: [("home-office", "Home-office/1: Report"), ("inbox", "1: Milk")])
  func listOption_limitsReminders(_ list: String, _ told: String) async {
    let output = await bench.run("remind --once --list \(list)").output
    #expect(output.hasPrefix("Reminder \(told)"))
    #expect(output.split(separator: "\n").count == 1)
    #expect(await bench.run("remind --once --list gone").status == .notFound)
  }

  @Test func json_namesList() async {
    let lines = await bench.run("remind --once --json").output.split(separator: "\n")
    #expect(lines.map { $0.contains("\"name\": \"Inbox\"}, \"item\"") } == [true, false])
    #expect(lines.map { $0.contains("\"name\": \"Home office\"}, \"item\"") } == [false, true])
    let coming = await bench.run("remind list --json --list inbox").output
    #expect(coming == "[]\n")
    await bench.run("add Later --remind 'today 12:00'")
    let list = "    \"list\": {\n      \"id\": \"default\",\n      \"name\": \"Inbox\"\n    },\n    \"item\": {"
    #expect(await bench.run("remind list --json").output.contains(list))
  }

  @Test func exec_getsNameOfList() async {
    #expect(await bench.run("remind --once --exec x").status == .success)
    let environments = programs.runs.withLock { $0.map(\.environment) }
    #expect(environments.map { $0["TODO_LIST_NAME"] } == ["", "Home office"])
    #expect(environments.map { $0["TODO_ITEM"] } == ["1", "Home-office/1"])
  }

  @Test func notify_namesListInBody() async {
    #expect(await bench.run("remind --once --notify").status == .success)
    let bodies = programs.runs.withLock { $0.map { $0.arguments.last } }
    #expect(bodies == ["today 11:00 · late", "today 11:00 · Home office · late"])
  }

  @Test func list_showsRemindersOfAllLists() async {
    await bench.run("add Later --remind 'today 12:00' --list home-office")
    #expect(
      await bench.run("remind list").output
        == "today 10:00  1  Milk (1h before)\ntoday 10:10  Home-office/1  Report (50min before)\ntoday 12:00  Home-office/2  Later\n"
    )
    #expect(await bench.run("remind list --list inbox").output == "today 10:00  1  Milk (1h before)\n")
    #expect(await bench.run("remind list --json").output.contains("Home office"))
  }

  @Test func snoozeAndDismiss_takeItemOfOtherList() async {
    await bench.run("remind --once")
    let snoozed = await bench.run("remind snooze home-office/1 20m").output
    #expect(snoozed.hasPrefix("Snoozed Home-office/1: Report"))
    #expect(await bench.run("remind dismiss home-office/1").output.hasPrefix("Dismissed Home-office/1: Report"))
  }

  @Test func watch_tellsOfListsThatAreCreatedOrDeletedMeanwhile() async throws {
    probe.attach(to: bench, isTerminal: false)
    async let run = bench.run("remind")
    await probe.wait(for: "Reminder Home-office/1: Report")
    let now = bench.clock.now()
    let garden = try await bench.lists.createList(NewList(name: "Garden"))
    let content = ItemContent(title: "Water", reminders: [Reminder(.time(now))])
    _ = try await bench.lists.items(in: garden.id).addItem(NewItem(id: TestBench.id(7), content: content))
    await probe.wait(for: "Reminder Garden/1: Water")
    _ = try await bench.lists.deleteList(garden.id)
    _ = try await bench.service.addItem(NewItem(id: TestBench.id(8), content: content))
    await probe.wait(for: "Reminder 2: Water")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
  }

  @Test func watch_ofOneList_whenItIsDeleted_fails() async throws {
    probe.attach(to: bench, isTerminal: false)
    async let run = bench.run("remind --list home-office")
    await probe.wait(for: "Reminder Home-office/1: Report")
    let list = try #require(try await bench.lists.lists().lists.last)
    _ = try await bench.lists.deleteList(list.id)
    #expect(await run.status == .notFound)
  }

  @Test(arguments: [(ListRole.editor, true), (.viewer, false)])
  func remindersOfSharedList_areToldToThoseWhoCanChangeIt(_ role: ListRole, _ areTold: Bool) async throws {
    let users = SharingUsers()
    let (ann, bob) = (try await users.add("ann"), try await users.add("bob"))
    let work = try await ann.createList(NewList(name: "Work"))
    let content = ItemContent(title: "Report", reminders: [Reminder(.time(TestBench.start))])
    _ = try await ann.items(in: work.id).addItem(NewItem(id: TestBench.id(1), content: content))
    _ = try await ann.shareList(work.id, with: "bob", as: role)
    _ = try await bob.acceptList(work.id)
    let bench = TestBench(lists: bob)
    let run = await bench.run("remind --once")
    #expect(run.status == .success)
    #expect(run.output.contains("Reminder Work/1: Report") == areTold)
    let coming = await bench.run("remind list --list work")
    let notice = "You can only view 'Work': 'todo remind' tells you none of its reminders.\n"
    #expect(coming.error == (areTold ? "There are no reminders to come.\n" : notice))
    #expect(coming.output.contains("Report") == !areTold)
    #expect(await bench.run("remind list").error == "There are no reminders to come.\n")
    #expect(await bench.run("remind --once --list work").status == (areTold ? .success : .notAllowed))
  }

  @Test func serverWithoutLists_hasOne() async throws {
    let bench = TestBench(service: bench.service)
    #expect(await bench.run("remind --once").output.hasPrefix("Reminder 1: Milk"))
  }
}
