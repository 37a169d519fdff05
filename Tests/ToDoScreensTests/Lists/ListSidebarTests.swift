import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// The lists beside the items in wide windows.
@Suite struct ListSidebarTests {
  private let work = UserList(id: Sample.list(1), name: "Work", color: .blue)
  private let home = UserList(id: Sample.list(2), name: "Home")
  private let milk = ToDoItem.listed(1, "Milk")
  private let report = ToDoItem.listed(1, "Report")

  private func read(_ lists: UserList...) -> ScreenEvent {
    .result(.listsRead(.success(ListSet(version: 1, lists: [.inbox] + lists))))
  }

  /// Returns a bench that shows the default list beside the lists.
  private func bench(columns: Int = 140, rows: Int = 24) -> CoordinatorBench {
    var bench = CoordinatorBench([milk], rows: rows, columns: columns)
    bench.send(read(work, home))
    return bench
  }

  /// The texts left of the first line between parts of the window, with one blank between words.
  private func sidebar(_ bench: CoordinatorBench) -> [String] {
    bench.shownLines.compactMap { line in
      guard let end = line.firstIndex(where: { "│┃".contains($0) }) else { return nil }
      return line[..<end].split(separator: " ").joined(separator: " ")
    }
    .filter { !$0.isEmpty }
  }

  @Test(arguments: [(139, false), (140, true), (300, true)])
  func lists_standBesideItems_ifThereIsRoom(columns: Int, isWide: Bool) {
    let bench = bench(columns: columns)
    #expect(bench.shownLines.allSatisfy { $0.displayWidth <= columns })
    #expect(sidebar(bench).contains("● Work") == isWide)
    #expect(bench.shownLines.contains { $0.contains("│ Milk") })
  }

  @Test func lists_ofOneListOnly_areNotShown() {
    var bench = CoordinatorBench([milk], rows: 24, columns: 140)
    bench.send(read())
    #expect(bench.shownLines[0].hasPrefix("To do (1)"))
    #expect(!bench.shownLines.contains { $0.contains("Lists") })
  }

  @Test func lists_whenTheUserTypesCommands_areNotShown() {
    var bench = bench()
    bench.environment.takesCommands = true
    #expect(bench.shownLines[0].hasPrefix("To do (1)"))
  }

  @Test func lists_areWatchedOnce_whenThereIsRoomForThem() {
    var bench = CoordinatorBench(rows: 24, columns: 139)
    bench.send(.resized)
    #expect(bench.effects == [])
    bench.environment.size.columns = 140
    bench.send(.resized)
    #expect(bench.effects == [.watchLists])
    bench.send(.resized)
    #expect(bench.effects == [])
  }

  // MARK: Focus

  @Test func tab_goesFromItemsToItemToLists() {
    var bench = bench()
    var focuses: [WindowPane] = []
    for key in [.tab, .tab, .tab, .backTab, .backTab, .backTab] as [KeyPress] {
      bench.press(key)
      focuses.append(bench.coordinator.list.focus)
    }
    #expect(focuses == [.item, .lists, .items, .lists, .item, .items])
  }

  @Test func tab_inNarrowWindow_goesToNextSection() {
    var done = ToDoItem.listed(2, "Bread")
    done.completedAt = Sample.start
    for (columns, isMoved) in [(80, true), (100, false)] {
      var bench = CoordinatorBench([milk, done], rows: 24, columns: columns)
      bench.press(.tab)
      #expect((bench.coordinator.list.selected?.item.id == done.id) == isMoved)
      bench = CoordinatorBench([milk, done], rows: 24, columns: columns)
      bench.press(.character("]"))
      #expect(bench.coordinator.list.selected?.item.id == done.id)
      bench.press(.character("["))
      #expect(bench.coordinator.list.selected?.item.id == milk.id)
    }
  }

  @Test(arguments: [KeyPress.escape, .left]) func leavingKey_goesBackToItems(key: KeyPress) {
    var bench = bench()
    for keys in [[.tab], [.backTab]] as [[KeyPress]] {
      for key in keys { bench.press(key) }
      #expect(bench.coordinator.list.focus != .items)
      bench.press(key)
      #expect(bench.coordinator.list.focus == .items)
    }
  }

  @Test func focus_ofWhatIsHidden_returnsToItems() {
    var bench = bench()
    bench.press(.backTab)
    bench.environment.size.columns = 80
    bench.send(.resized)
    #expect(bench.coordinator.list.focus == .items)
    #expect(bench.statusLine.hasPrefix("1 of 1"))
  }

  @Test func tab_whileFilterIsTyped_goesToNextField() {
    var bench = bench()
    bench.press(.character("f"), .tab)
    #expect(bench.coordinator.list.focus == .items && bench.coordinator.list.input.isOpen)
    #expect(bench.coordinator.window(bench.environment).cursor.map { $0.column > 31 } == true)
  }

  // MARK: Keys

  @Test func enter_showsSelectedList() {
    var bench = bench()
    bench.press(.backTab, .down)
    #expect(sidebar(bench).prefix(3) == ["Lists to do late", "* ● Inbox 1", "> ● Work"])
    #expect(bench.statusLine.hasPrefix("2 of 3 · Enter show"))
    bench.press(.enter)
    #expect(bench.effects == [.showList(work.id)])
    bench.load([report])
    #expect(bench.coordinator.list.focus == .items)
    #expect(sidebar(bench).prefix(3) == ["Lists to do late", "● Inbox 1", "* ● Work 1"])
    #expect(bench.shownLines[0].contains("│ ● Work"))
  }

  @Test func enter_onShownList_goesToItems() {
    var bench = bench()
    bench.press(.backTab, .enter)
    #expect(bench.effects == [] && bench.coordinator.list.focus == .items && bench.stack == ["list"])
  }

  @Test func enter_whenNotConnected_changesNothing() {
    var bench = bench()
    bench.environment.connection = .lost(since: Sample.start)
    bench.press(.backTab, .down, .enter)
    #expect(bench.effects == [] && bench.statusLine.contains("not connected"))
  }

  @Test func itemKeys_amongLists_changeNothing() {
    var bench = bench()
    bench.press(.backTab)
    for key in " deMSpa" {
      bench.press(.character(key))
      #expect(bench.effects == [] && bench.stack == ["list"], "\(key)")
      #expect(bench.statusLine.hasPrefix("Tab goes to the items"), "\(key)")
    }
    bench.press(.character("L"))
    #expect(bench.stack == ["list", "lists"])
    bench.press(.escape, .character("?"))
    #expect(bench.stack == ["list", "help"] && bench.shownLines.contains { $0.contains("Wide window") })
    bench.press(.escape, .character("q"))
    #expect(bench.effects == [.quit])
  }

  @Test func selection_ofManyLists_staysVisible() {
    var bench = CoordinatorBench([milk], rows: 8, columns: 140)
    let lists = (1...50).map { UserList(id: Sample.list($0), name: "List \($0)") }
    bench.send(.result(.listsRead(.success(ListSet(version: 1, lists: [.inbox] + lists)))))
    bench.press(.backTab)
    for (key, name) in [
      (.end, "List 50"), (.up, "List 49"), (.pageUp, "List 39"), (.home, "Inbox"), (.pageDown, "List 10"),
    ] as [(KeyPress, String)] {
      bench.press(key)
      #expect(sidebar(bench).contains { $0.hasPrefix(">") && $0.contains(name) }, "\(name)")
    }
  }

  @Test func click_showsList_andRightOfTheListsSelectsAnItem() {
    var bench = CoordinatorBench([milk, .listed(2, "Bread")], rows: 24, columns: 140)
    bench.send(read(work, home))
    bench.send(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: 2, column: 40))))
    #expect(bench.coordinator.list.selected?.item.title == "Bread")
    bench.send(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: 2, column: 10))))
    #expect(bench.effects == [.showList(work.id)])
    bench.send(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: 20, column: 10))))
    #expect(bench.effects == [])
  }

  @Test func item_besideTheList_scrolls() {
    var item = milk
    item.content.itemDescription = (1...60).map { "Line \($0)" }.joined(separator: "\n")
    var bench = CoordinatorBench([item], rows: 24, columns: 140)
    #expect(!bench.shownLines.contains { $0.contains("Line 60") })
    bench.press(.tab, .end)
    #expect(bench.shownLines.contains { $0.contains("Line 60") || $0.contains("Changed") })
    #expect(!bench.shownLines.contains { $0.contains("┃ Milk") })
    bench.send(.minutePassed)
    #expect(!bench.shownLines.contains { $0.contains("┃ Milk") })
    bench.press(.character("g"))
    #expect(bench.shownLines.contains { $0.contains("┃ Milk") })
    bench.press(.enter)
    #expect(bench.stack == ["list", "detail"])
  }

  // MARK: Numbers

  @Test func numbers_areCountedWhenListsChange_withTheMinute_andAfterMoves() {
    var bench = CoordinatorBench([milk], rows: 24, columns: 140)
    let counting = Effect.countItems([.default, work.id, home.id])
    bench.send(read(work, home))
    #expect(bench.effects == [counting])
    bench.send(.minutePassed)
    #expect(bench.effects == [counting])
    bench.environment.connection = .connected
    bench.send(.minutePassed)
    #expect(bench.effects == [counting, .readInvitations])
    bench.send(.result(.changed(milk.id, .moved(to: "Work"), .success(Revision(9)))))
    #expect(bench.effects == [counting])
    bench.send(.result(.addedElsewhere(work, .success(report))))
    #expect(bench.effects == [counting])
    bench.send(.result(.changed(milk.id, .checked, .success(Revision(9)))))
    #expect(bench.effects == [])
    bench.environment.connection = .lost(since: Sample.start)
    bench.send(.minutePassed)
    #expect(bench.effects == [])
  }

  @Test func numbers_ofShownListFollowItsItems_andThoseOfOthersTheCount() {
    var bench = bench(columns: 160)
    bench.send(
      .result(
        .itemsCounted([
          .default: ListCounts(toDo: 7), work.id: ListCounts(toDo: 12, overdue: 3, waiting: 2),
          home.id: ListCounts(toDo: 100, isPartial: true),
        ])))
    #expect(sidebar(bench).prefix(4) == ["Lists to do late wait", "* ● Inbox 1", "● Work 12 3 2", "● Home 100+"])
    bench.put(.listed(2, "Bread"), .added)
    #expect(sidebar(bench)[1] == "* ● Inbox 2")
    bench.send(.result(.itemsCounted([home.id: ListCounts(toDo: 0)])))
    #expect(sidebar(bench)[3] == "● Home")
  }

  @Test func counts_tellOverdueAndWaitingItemsApart() {
    let zone = CentralEuropeanZone()
    let today = zone.localTime(at: Sample.start).date ?? .epoch
    var late = ToDoItem.listed(1, "Rent", due: .date(CalendarDate(year: 2026, month: 4, day: 1) ?? .epoch))
    var waiting = late
    waiting.content.waitUntil = Timestamp(microseconds: Sample.start.microseconds + 1)
    let counts = ListCounts([late, waiting, milk], isPartial: false, now: Sample.start, today: today)
    #expect(counts == ListCounts(toDo: 2, overdue: 1, waiting: 1))
    late.completedAt = Sample.start
    #expect(
      ListCounts([late], isPartial: true, now: Sample.start, today: today) == ListCounts(toDo: 0, isPartial: true))
    #expect(ListCounts(toDo: 123_456).toDoText == "9999+")
  }

  // MARK: Sharing

  @Test func sharedListsAndInvitations_nameTheirOwnerAndRole() {
    var shared = home
    (shared.role, shared.ownerUser) = (.viewer, "ann")
    var invitation = UserList(id: Sample.list(9), name: "Party")
    (invitation.role, invitation.ownerUser, invitation.isInvitation) = (.editor, "dan", true)
    var bench = CoordinatorBench([milk], rows: 24, columns: 200)
    bench.environment.connection = .connected
    bench.send(read(work, shared))
    bench.send(.result(.invitationsRead(.success([invitation]))))
    #expect(sidebar(bench).dropFirst(3) == ["● Home", "ann's, can view", "● Party", "dan invites you to edit"])
    bench.press(.backTab, .end, .enter)
    #expect(bench.effects == [])
    #expect(bench.statusLine.hasPrefix("dan invites you to edit 'Party'; press L to answer"))
    bench.send(.result(.sharingChanged(invitation, .declined, .success(invitation))))
    bench.send(.result(.invitationsRead(.success([]))))
    #expect(!sidebar(bench).contains { $0.contains("Party") })
    #expect(bench.coordinator.sidebar.selected == shared.id)
  }

  @Test func lists_areLive() {
    var bench = bench()
    var renamed = work
    renamed.name = "Office"
    bench.send(read(renamed))
    #expect(sidebar(bench).contains { $0.hasSuffix("● Office") } && !sidebar(bench).contains { $0.contains("Home") })
    bench.send(.result(.listSaved(.success(work))))
    #expect(sidebar(bench).contains { $0.hasSuffix("● Work") })
  }
}
