import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestScreens
import ToDoTestSupport

@testable import todo

/// `todo remind`, starting on Wednesday, 2026-04-29, 10:15:42 in Berlin.
@Suite(.unitTimeLimited) struct RemindCommandTests {
  private let bench = TestBench()
  private let probe = ScreenProbe()
  private let programs = Programs()

  /// The programs that were run, and their environments.
  private final class Programs: Sendable {
    let runs = Mutex<[(arguments: [String], environment: [String: String])]>([])
    let failure = Mutex<Failure?>(nil)
  }

  init() {
    let programs = programs
    bench.change {
      $0.environment["TZ"] = "Europe/Berlin"
      $0.runProgram = { arguments, environment in
        programs.runs.withLock { $0.append((arguments, environment)) }
        if let failure = programs.failure.withLock(\.self) { throw failure }
      }
    }
  }

  private func reminders(_ number: UInt64 = 1) async throws -> [Reminder] {
    try await bench.service.item(TestBench.id(number)).reminders
  }

  /// Advances both the wall clock and the timers of the program until the task is canceled.
  private func passTime() async {
    while !Task.isCancelled {
      await bench.timers.waitForSleepers()
      bench.clock.advance(by: .seconds(20))
      bench.timers.advance(by: .seconds(20))
    }
  }

  /// Passes time until a text is printed.
  private func passTime(until text: String) async {
    let passing = Task { await passTime() }
    await probe.wait(for: text)
    passing.cancel()
  }

  @Test func once_tellsWhatIsDue_oneTime() async throws {
    await bench.run("add Dentist --due '12:00' --remind 1h --remind 90min")
    #expect(await bench.run("remind --once").output == "")
    bench.clock.advance(by: .seconds(15 * 60))
    #expect(
      await bench.run("remind --once")
        == .init(
          status: .success, output: "Reminder 1: Dentist · today, Wed 29 Apr, 12:00\n", error: ""))
    #expect(await bench.run("remind --once").output == "")
    #expect(try await reminders().map { $0.acknowledged != nil } == [false, true])
    bench.clock.advance(by: .seconds(30 * 60))
    #expect(await bench.run("remind --once").output.split(separator: "\n").count == 1)
    #expect(try await reminders().allSatisfy { $0.acknowledged != nil })
  }

  @Test func once_tellsLateOnesAsLate() async {
    await bench.run("add A --due '11:00' --remind 30min")
    bench.clock.advance(by: .seconds(86_400))
    #expect(
      await bench.run("remind --once").output
        == "Reminder 1: A · yesterday, Wed 29 Apr, 11:00 · late, for yesterday 10:30\n")
  }

  @Test func once_whenTheQuotaRefusesTheClaim_saysSo() async throws {
    let list = LocalToDoService(
      store: MemoryToDoItemStore(), byteLimit: 145, clock: TestClock(TestBench.start))
    let bench = TestBench(service: list)
    #expect(await bench.run("add A --remind 'today 10:00'").status == .success)
    let run = await bench.run("remind --once")
    #expect(run.status == .failure && run.output == "")
    #expect(run.error.hasPrefix("Error: the list would exceed its storage quota"), "\(run.error)")
    #expect(run.error.hasSuffix("The reminder of 'A' waits.\n"))
  }

  @Test func once_ofDoneItems_tellsNothing() async {
    await bench.run("add A --due '11:00' --remind 1h")
    await bench.run("check 1")
    #expect(await bench.run("remind --once").output == "")
  }

  @Test func undo_leavesToldReminders() async throws {
    await bench.run("add A --due '11:00' --remind 1h")
    await bench.run("add B")
    await bench.run("remind --once")
    #expect(await bench.run("undo").output == "Undone: added 2 'B'\n")
    #expect(try await reminders().allSatisfy { $0.acknowledged != nil })
  }

  @Test func json_isALineForEachReminder() async {
    await bench.run("add A --due '11:00' --remind 1h")
    let run = await bench.run("remind --once --json")
    #expect(
      run.output.hasPrefix(
        "{\"type\": \"reminder\", \"time\": \"2026-04-29T08:00:00Z\", \"trigger\": \"PT1H\", \"late\": true, "
          + "\"list\": {\"id\": \"default\", \"name\": \"Inbox\"}, \"item\": {"
      ))
    #expect(run.output.split(separator: "\n").count == 1)
  }

  @Test func exec_getsTheReminderInItsEnvironment() async {
    await bench.run("add 'Den\"tist' --due '11:00' --remind 1h")
    let run = await bench.run(["remind", "--once", "--exec", "sh -c 'say \"$TODO_TITLE\"' \"\""])
    #expect(run.status == .success)
    let (arguments, environment) = programs.runs.withLock { $0[0] }
    #expect(arguments == ["sh", "-c", "say \"$TODO_TITLE\"", ""])
    #expect(
      environment == [
        "TODO_TITLE": "Den\"tist", "TODO_ITEM": "1", "TODO_ID": TestBench.id(1).description,
        "TODO_DUE": "Wed 2026-04-29 11:00 CEST", "TODO_TRIGGER": "PT1H", "TODO_TIME": "2026-04-29T08:00:00Z",
        "TODO_LATE": "1", "TODO_LIST_NAME": "",
      ])
  }

  @Test func notify_runsNotifySend() async {
    await bench.run("add -- '-x'")
    await bench.run("edit 1 --due '11:00' --remind 1h")
    #expect(await bench.run("remind --once --notify").status == .success)
    let arguments = programs.runs.withLock { $0[0].arguments }
    #expect(arguments == ["notify-send", "--app-name=todo", "--", "-x", "today 11:00 · late"])
  }

  @Test(arguments: ["--exec false", "--notify"])
  func program_thatFails_isReported_andTheReminderIsDueAgain(_ option: String) async throws {
    await bench.run("add A --due '11:00' --remind 1h")
    programs.failure.withLock {
      $0 = Failure(code: .unknown, reason: "REMINDER_FAILED", message: "'x' cannot be started: no such file")
    }
    let run = await bench.run("remind --once \(option)")
    #expect(run.status == .failure && run.error.hasPrefix("Error: 'x' cannot be started: no such file\n"))
    #expect(run.error.contains("libnotify-bin") == (option == "--notify"))
    programs.failure.withLock { $0 = nil }
    #expect(await bench.run("remind --once \(option)").output == "")
    bench.clock.advance(by: .seconds(60))
    #expect(await bench.run("remind --once \(option)").output.hasPrefix("Reminder 1: A"))
    #expect(await bench.run("remind --once \(option)").output == "")
  }

  @Test func reminder_whenTheProgramEndsBeforeItTells_isToldWhenItsLeaseEnds() async throws {
    await bench.run("add A --due '11:00' --remind 1h")
    bench.change { $0.runProgram = { _, _ in throw CancellationError() } }
    await bench.run("remind --once --exec x")
    let other = TestBench(lists: bench.lists)
    #expect(await other.run("remind --once").output == "")
    other.clock.advance(by: .seconds(60))
    #expect(await other.run("remind --once").output.hasPrefix("Reminder 1: A"))
    other.clock.advance(by: .seconds(3600))
    #expect(await other.run("remind --once").output == "")
  }

  @Test func reminder_whenTheProgramDeletesItsItem_isTold() async throws {
    await bench.run("add A --due today --remind 'today 10:00'")
    bench.change { [service = bench.service] in
      $0.runProgram = { _, _ in _ = try await service.deleteItem(TestBench.id(1), ifRevision: nil) }
    }
    let run = await bench.run("remind --once --exec x")
    #expect(run.status == .success && run.error == "" && run.output.hasPrefix("Reminder 1: A"))
  }

  @Test func reminders_thatTakeLongerThanTheirLeases_areTriedOnce() async throws {
    await bench.run("add A --due today --remind 'today 9:00' --remind 'today 9:30' --remind 'today 10:00'")
    bench.change { [programs, bench] in
      $0.runProgram = { arguments, environment in
        programs.runs.withLock { $0.append((arguments, environment)) }
        bench.clock.advance(by: .seconds(40))
        throw Failure(code: .unknown, reason: "REMINDER_FAILED", message: "it does not answer")
      }
    }
    #expect(await bench.run("remind --once --exec x").status == .failure)
    #expect(programs.runs.withLock(\.count) == 3)
  }

  @Test(arguments: ["snooze", "dismiss"])
  func reminder_whenItIsChangedWhileItIsTold_keepsThat(_ action: String) async throws {
    await bench.run("add A --due '11:00' --remind 1h")
    let other = TestBench(lists: bench.lists)
    bench.change { $0.runProgram = { _, _ in await other.run("remind \(action) 1") } }
    #expect(await bench.run("remind --once --exec x").status == .success)
    let snoozedUntil = try await reminders().map(\.snoozedUntil)
    let later = Timestamp(microseconds: TestBench.start.microseconds + 600_000_000)
    #expect(snoozedUntil == [action == "snooze" ? later : nil])
  }

  @Test(arguments: [
    ("remind --once --exec 'x'  --notify", "cannot be combined"), ("remind never", "'never' is no action"),
    ("remind list --once", "cannot be combined"), ("remind list 1", "has no arguments"),
    ("remind snooze", "specify an item"), ("remind dismiss", "specify an item"),
    ("remind --once --exec ' '", "specify a program"), ("remind --once --exec 'say \"a'", "a quote is not closed"),
  ])
  func remind_whenMisused_saysWhy(_ line: String, _ reason: String) async {
    let run = await bench.run(line)
    #expect(run.status == .usage && run.error.contains(reason), "\(run.error)")
  }

  @Test func list_showsWhatIsToCome() async {
    await bench.run("add Later --due 'fri 9:00' --remind 1h")
    await bench.run("add Sooner --remind 'today 12:00'")
    await bench.run("add Plain --due 'fri 9:00'")
    #expect(
      await bench.run("remind list").output
        == "today 12:00  2  Sooner\nFri 1 May 08:00  1  Later (1h before)\n")
    #expect(await bench.run("remind list -q").output == "\(TestBench.id(2))\n\(TestBench.id(1))\n")
    #expect(await bench.run("remind list --json").output.contains("\"time\": \"2026-04-29T10:00:00Z\""))
    await bench.run("check 1 2")
    #expect(await bench.run("remind list").error == "There are no reminders to come.\n")
  }

  @Test(arguments: [("", 600.0), (" 20m", 1200), (" 1h", 3600), (" 1d", 86_400), (" 'today 10:30'", 858)])
  func snoozedReminder_isToldAgain(_ when: String, _ seconds: Double) async {
    await bench.run("add A --due '11:00' --remind 1h")
    await bench.run("remind --once")
    #expect(await bench.run("remind snooze 1\(when)").output.hasPrefix("Snoozed 1: A · 1h before (snoozed until "))
    bench.clock.advance(by: .seconds(seconds - 1))
    #expect(await bench.run("remind --once").output == "")
    bench.clock.advance(by: .seconds(1))
    #expect(await bench.run("remind --once").output.hasPrefix("Reminder 1: A"))
    #expect(await bench.run("remind --once").output == "")
  }

  @Test func snooze_toNoTime_isRejected() async {
    await bench.run("add A --due '11:00' --remind 1h")
    await bench.run("add '3 apples' --due '11:00' --remind 1h")
    await bench.run("remind --once")
    for words in ["nonsense", "'3 apples'", "3 apples"] {
      let run = await bench.run("remind snooze 1 \(words)")
      let text = words.filter { $0 != "'" }
      #expect(run.status == .usage)
      #expect(
        run.error
          == "Error: '\(text)' is not a time; specify one such as 20m, 1h or 'tomorrow 9:00', or only the item\n")
    }
    #expect(await bench.run("remind snooze 3 apples").output.hasPrefix("Snoozed 2: 3 apples"))
    #expect(await bench.run("remind snooze no such item").status == .notFound)
  }

  @Test func snooze_toAPastTime_orOfNoReminder_isRejected() async {
    await bench.run("add A --due '11:00' --remind 1h")
    await bench.run("add B")
    #expect(await bench.run("remind snooze 1 'yesterday 9:00'").error.contains("has passed; specify a later time"))
    #expect(await bench.run("remind snooze 2").error.contains("2 'B' has no reminder that is due"))
  }

  @Test(arguments: ["remind snooze 1", "remind dismiss 1"])
  func reminderToCome_isLeftAsItIs(_ line: String) async {
    await bench.run("add A --due '18:00' --remind 1h")
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error.contains("1 'A' has no reminder that is due, snoozed or told"))
    #expect(await bench.run("remind list").output == "today 17:00  1  A (1h before)\n")
  }

  @Test func dismissedReminder_isNotTold() async {
    await bench.run("add A --due '11:00' --remind 1h")
    #expect(await bench.run("remind dismiss 1").output == "Dismissed 1: A · 1h before (told: today 10:00)\n")
    #expect(await bench.run("remind --once").output == "")
    #expect(await bench.run("remind dismiss 1").status == .usage)
    await bench.run("edit 1 --due '10:30'")
    #expect(await bench.run("remind --once").output.hasPrefix("Reminder 1: A"))
  }

  @Test func watch_tellsWhenDue_alsoOfItemsAddedMeanwhile() async throws {
    probe.attach(to: bench, isTerminal: false)
    await bench.run("add A --due '11:00' --remind 30min")
    async let run = bench.run("remind")
    await passTime(until: "Reminder 1: A · today, Wed 29 Apr, 11:00")
    let time = Timestamp(microseconds: bench.clock.now().microseconds + 90_000_000)
    let new = ItemContent(title: "B", reminders: [Reminder(.time(time))])
    _ = try await bench.service.addItem(NewItem(id: TestBench.id(2), content: new), options: SaveOptions())
    await passTime(until: "Reminder 2: B")
    probe.send(.interrupted)
    #expect(await run.status == .interrupted)
    #expect(bench.closedConnections == 2)
  }

  @Test func watch_whenServerIsUnreachable_saysOnceThatItIs_andOnceThatItIsBack() async throws {
    // Each list has a connection, and both are lost.
    let script: [ConnectionState] = [.connecting, .connected, .disconnected, .disconnected, .connected, .connected]
    let states = Mutex(script[...])
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    bench.change {
      $0.connectionStates = {
        AsyncStream {
          let next = states.withLock { $0.popFirst() }
          if next == nil { end.finish() }
          return next
        }
      }
    }
    probe.attach(to: bench, isTerminal: false)
    async let run = bench.run("remind")
    for await _ in ends {}
    let content = ItemContent(title: "A", reminders: [Reminder(.time(bench.clock.now()))])
    _ = try await bench.service.addItem(NewItem(id: TestBench.id(1), content: content))
    await probe.wait(for: "Reminder 1: A")
    probe.send(.interrupted)
    let notices = await run.error.split(separator: "\n").filter { !$0.hasPrefix("Waiting") }
    #expect(
      notices == [
        "The server at embedded /home/ann/items.sqlite is unreachable. Reminders wait until it is back.",
        "The server is back.",
      ])
  }

  @Test func watch_whenPipeIsClosed_succeeds() async {
    probe.attach(to: bench, isTerminal: false)
    async let run = bench.run("remind")
    await bench.timers.waitForSleepers()
    probe.send(.outputClosed)
    #expect(await run == .init(status: .success, output: "", error: "Waiting for 0 reminders. Ctrl-C ends.\n"))
  }

  @Test func claim_whenAnotherHasClaimed_isSilent() async throws {
    await bench.run("add A --due '11:00' --remind 1h")
    let item = try await bench.service.item(TestBench.id(1))
    let schedule = ReminderSchedule { _ in CentralEuropeanZone() }
    let claim = ReminderClaim(service: bench.service, schedule: schedule)
    async let first = claim.lease(item, at: bench.clock.now())
    async let second = claim.lease(item, at: bench.clock.now())
    #expect(try await [first, second].compactMap { $0?.entry }.count == 1)
    _ = try await bench.service.deleteItem(item.id, ifRevision: nil)
    #expect(try await claim.lease(item, at: bench.clock.now()) == nil)
  }
}
