import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoSupport
import ToDoTestSupport
import ToDoText

@testable import todo

/// The occurrences of items that repeat, on Wednesday, 2026-04-29, 10:15 in Berlin.
@Suite(.unitTimeLimited) struct SkipCommandTests {
  private let bench = TestBench()

  init() async throws {
    bench.change { $0.environment["TZ"] = "Europe/Berlin" }
    let content = ItemContent(
      title: "Water plants", due: CalendarDate(year: 2026, month: 4, day: 14).map(DueDate.date),
      repetition: Repetition(.calendar(RecurrenceRule(.weekly)), timeZone: "Europe/Berlin"))
    _ = try await bench.service.addItem(NewItem(id: TestBench.id(9), content: content), options: SaveOptions())
  }

  private func item() async throws -> ToDoItem { try await bench.service.item(TestBench.id(9)) }
  private func day(_ day: Int, _ month: Int = 5) -> DueDate? {
    CalendarDate(year: 2026, month: month, day: day).map(DueDate.date)
  }

  @Test func skip_movesToNextOccurrence() async throws {
    let run = await bench.run("skip 1")
    #expect(run.output == "Skipped 1: Water plants · next Tue 5 May (2 missed)\n")
    #expect(try await item().due == day(5))
    #expect(await bench.run("skip 1").output == "Skipped 1: Water plants · next Tue 12 May\n")
    await bench.run("undo")
    #expect(try await item().due == day(5))
  }

  /// As after a lost response to the first time.
  @Test func split_whenRepeated_keepsTheOccurrence() async throws {
    let item = try await item()
    var edit = ItemEdit()
    edit.title = "Feed plants"
    let zone = try #require(TimeZoneFiles().rules(of: "Europe/Berlin"))
    let split = try #require(OccurrenceSplit(edit, of: item, now: bench.clock.now(), in: zone))
    let first = try await bench.service.split(
      split, off: item.id, ifRevision: item.revision, as: TestBench.id(20), options: SaveOptions())
    let again = try await bench.service.split(
      split, off: item.id, ifRevision: item.revision, as: TestBench.id(20), options: SaveOptions())
    #expect(again == first)
    #expect(try await bench.service.items(ItemQuery()).items.count == 2)
  }

  @Test func skip_ofItemThatDoesNotRepeat_fails() async throws {
    await bench.run("add Rest")
    #expect(
      await bench.run("skip 2")
        == .init(
          status: .usage, output: "",
          error: "Error: 2 'Rest' does not repeat\n  'todo edit 2 --repeat' sets how it repeats.\n"))
    await bench.run("check 2")
    #expect(await bench.run("skip 2").status == .usage)
    // The others are moved on.
    let run = await bench.run("skip 2 1")
    #expect(run.status == .usage && run.error.contains("2 'Rest' does not repeat"))
    #expect(try await item().due == day(5))
  }

  /// The form would have no place for it.
  @Test(arguments: ["--this", "--following"]) func edit_withOccurrencesAlone_fails(option: String) async {
    let run = await bench.run("edit 1 \(option)")
    #expect(run.status == .usage && run.error.hasPrefix("Error: specify what to change besides '\(option)'"))
  }

  @Test func check_saysWhenItIsNext() async throws {
    let run = await bench.run("check 1")
    #expect(run.output == "Checked 1: Water plants · next Tue 5 May (2 missed)\n")
    #expect(try await !item().isDone)
  }

  @Test func show_hasNextDates() async {
    #expect(
      await bench.run("show 1").output.contains("  next        Tue 21 Apr, yesterday, Tue 5 May\n"))
  }

  @Test func edit_movesThisOccurrenceOrFollowing() async throws {
    let run = await bench.run("edit 1 --due fri")
    #expect(run.error.contains("Moved only this occurrence; '--following' also moves the following ones.\n"))
    #expect(try await item().repetition?.start == day(14, 4))
    #expect(await bench.run("edit 1 --due 'thu 7 may' --following").status == .success)
    #expect(try await item().repetition?.start == day(7))
    #expect(await bench.run("edit 1 --following").status == .usage)
  }

  @Test func edit_ofThisOccurrence_splitsItOff() async throws {
    for line in ["step 1 add Fill", "step 1 check 1", "edit 1 --tag home --note 'The ficus, too'"] {
      await bench.run(line)
    }
    let run = await bench.run("edit 1 --title 'Water and feed plants' --due thu --tag garden --this")
    #expect(run.status == .success)
    #expect(run.output.hasPrefix("Added 2: Water and feed plants · tomorrow, Thu 30 Apr · #home #garden · 1/1 step"))
    #expect(run.error == "1 repeats without this occurrence: Water plants · next Tue 5 May (2 missed)\n")
    let occurrence = try #require(try await bench.service.items(ItemQuery()).items.first { $0.number == ItemNumber(2) })
    #expect(occurrence.repetition == nil)
    #expect(occurrence.due == day(30, 4))
    #expect(occurrence.itemDescription == "The ficus, too")
    #expect(occurrence.steps.map(\.isDone) == [true])
    #expect(try await item().title == "Water plants")
    #expect(try await item().due == day(5))
    #expect(try await item().tags == ["home"])
    #expect(try await item().steps.map(\.isDone) == [false])
    await bench.run("undo 2")
    #expect(try await item().due == day(14, 4))
    #expect(try await bench.service.items(ItemQuery()).items.count == 1)
  }

  /// Tags don't tell duplicates apart.
  @Test func edit_ofThisOccurrence_whenOnlyTagsChange_splitsItOff() async throws {
    let run = await bench.run("edit 1 --this --tag x")
    #expect(run.status == .success && run.output.hasPrefix("Added 2: Water plants"))
    #expect(try await bench.service.items(ItemQuery()).items.map(\.tags).sorted { $0.count < $1.count } == [[], ["x"]])
    #expect(try await item().due == day(5))
  }

  @Test func edit_ofThisOccurrence_whenOnlyDueDateOrNothingChanges_staysOneItem() async throws {
    #expect(await bench.run("edit 1 --due fri --this").output.hasPrefix("Edited 1: "))
    #expect(try await item().repetition?.start == day(14, 4))
    #expect(await bench.run("edit 1 --title 'Water plants' --this").error.contains("nothing changed"))
    await bench.run("edit 1 --repeat 'every week, 2 times'")
    #expect(try await bench.service.items(ItemQuery()).items.count == 1)
  }

  @Test func edit_ofThisOccurrence_whenItemHasChanged_addsNothing() async throws {
    let item = try await item()
    _ = try await bench.service.updateItem(item.id, .retitled("Water"), ifRevision: nil)
    let zone = try #require(TimeZoneFiles().rules(of: "Europe/Berlin"))
    let split = try #require(OccurrenceSplit(.retitled("Feed"), of: item, now: TestBench.start, in: zone))
    await #expect(throws: ToDoError.self) {
      _ = try await bench.service.split(
        split, off: item.id, ifRevision: item.revision, as: TestBench.id(20), options: SaveOptions())
    }
    #expect(try await bench.service.items(ItemQuery()).items.map(\.title) == ["Water"])
  }

  /// A service that adds items, but loses the connection at an update, before or after the update is made.
  private struct LosingService: ToDoServiceStub {
    let service: any ToDoService
    var updatesFirst = false
    var isLostForGood = true
    var error: any Error = RPCError(.unavailable, reason: "CONNECTION_LOST", "the connection is lost")

    func addItem(_ item: NewItem, options: SaveOptions) async throws -> ToDoItem {
      try await service.addItem(item, options: options)
    }
    func updateItem(
      _ id: ItemID, _ edit: ItemEdit, ifRevision: Revision?, options: SaveOptions
    ) async throws -> ToDoItem {
      if updatesFirst { _ = try await service.updateItem(id, edit, ifRevision: ifRevision, options: options) }
      throw error
    }
    func item(_ id: ItemID) async throws -> ToDoItem {
      guard !isLostForGood else { throw error }
      return try await service.item(id)
    }
  }

  /// - Parameter item: the item before the split, if that is repeated.
  private func split(
    over service: LosingService, off item: ToDoItem? = nil
  ) async throws -> (occurrence: ToDoItem, rest: ToDoItem) {
    let item = if let item { item } else { try await self.item() }
    let zone = try #require(TimeZoneFiles().rules(of: "Europe/Berlin"))
    let split = try #require(OccurrenceSplit(.retitled("Feed"), of: item, now: TestBench.start, in: zone))
    return try await service.split(
      split, off: item.id, ifRevision: item.revision, as: TestBench.id(20), options: SaveOptions())
  }

  @Test(arguments: [(true, true), (false, true), (false, false)])
  func split_whenConnectionIsLostInBetween_saysHowToComplete(_ updatesFirst: Bool, _ isLostForGood: Bool) async throws {
    let before = try await item()
    let service = LosingService(service: bench.service, updatesFirst: updatesFirst, isLostForGood: isLostForGood)
    let error = await #expect(throws: InterruptedSplit.self) { _ = try await split(over: service) }
    #expect(error?.occurrence.title == "Feed")
    #expect(try await bench.service.item(TestBench.id(20)).title == "Feed")
    let text = error?.failure(splitting: before).text ?? ""
    #expect(
      text == """
        Error: added 2 'Feed', but 1 may not have moved on: the connection is lost
          If 'todo show 1' still shows the same due date, complete the edit with: todo skip 1
          Don't repeat the edit: it would split off another occurrence.
        """)
    guard !updatesFirst else { return }
    #expect(try await item().due == before.due)
    #expect(await bench.run("skip 1").status == .success)
    #expect(try await item().due == day(5))
  }

  @Test func split_whenOnlyTheResponseIsLost_succeeds() async throws {
    let service = LosingService(service: bench.service, updatesFirst: true, isLostForGood: false)
    let (occurrence, rest) = try await split(over: service)
    #expect(occurrence.title == "Feed")
    #expect(rest == (try await item()) && rest.due == day(5))
  }

  /// As after the loss of a database server during a commit, or after a former split that lost its response.
  @Test(
    arguments: [
      (ToDoError.storeUnavailable(detail: "the change may or may not have been saved"), true),
      (.storeUnavailable(detail: "the change may or may not have been saved"), false),
      (.revisionMismatch(TestBench.id(9), current: Revision(9)), true),
    ])
  func split_whenOutcomeIsUnknown_keepsTheOccurrence(_ error: ToDoError, _ updatesFirst: Bool) async throws {
    var service = LosingService(service: bench.service, updatesFirst: updatesFirst, isLostForGood: false, error: error)
    let before = try await item()
    if updatesFirst {
      #expect(try await split(over: service).rest.due == day(5))
      service.isLostForGood = true
    }
    await #expect(throws: InterruptedSplit.self) { _ = try await split(over: service, off: before) }
    #expect(try await bench.service.item(TestBench.id(20)).title == "Feed")
  }

  @Test(arguments: ["--this --following", "--this --repeat daily", "--following --repeat daily"])
  func edit_withOptionsThatExcludeEachOther_isRefused(_ options: String) async {
    #expect(await bench.run("edit 1 --title a \(options)").status == .usage)
  }

  @Test func edit_ofThisOrFollowing_whenItemDoesNotRepeat_isRefused() async {
    await bench.run("add Rest")
    for option in ["--this", "--following"] {
      let run = await bench.run("edit 2 --title Sleep \(option)")
      #expect(run == .init(status: .usage, output: "", error: "Error: 2 doesn't repeat; omit '\(option)'\n"))
    }
    #expect(await bench.run("edit 1 --title Sleep --following").output.hasPrefix("Edited 1: Sleep"))
  }

  @Test func skip_resetsStepsOfTheOccurrence() async throws {
    for line in ["step 1 add Fill", "step 1 add Pour", "step 1 check 1", "skip 1"] { await bench.run(line) }
    #expect(try await item().steps.map(\.isDone) == [false, false])
  }

  @Test func skip_thatChangesNothing_saysSo() async throws {
    await bench.run("edit 1 --due none --repeat '3 days after done'")
    await bench.run("skip 1")
    let run = await bench.run("skip 1")
    #expect(run == .init(status: .success, output: "", error: "1 'Water plants' is as it was; nothing changed\n"))
  }
}

extension ItemEdit {
  fileprivate static func retitled(_ title: String) -> ItemEdit {
    var edit = ItemEdit()
    edit.title = title
    return edit
  }
}
