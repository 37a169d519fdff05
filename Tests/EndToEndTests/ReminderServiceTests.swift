import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

/// The reminders of users behind a server, over both protocols. Ann shares the list `work` with bob, who only views it. Cat has a
/// token for reading only.
@Suite(.timeLimited) struct ReminderServiceTests {
  typealias Caller = ListServiceTests.Caller

  private struct Bench {
    let callers: [String: Caller]
    let accounts: MemoryAccountStore
    let list: LocalToDoService
    let wall: TestClock
    let book: ReminderBook
    let work = ListID(high: 7, low: 7)

    func caller(_ name: String) throws -> Caller { try #require(callers[name]) }

    /// Adds an item of ann whose reminder is due.
    func add(_ title: String, to list: ListID = .default) async throws -> ToDoItem {
      let content = ItemContent(title: title, reminders: [Reminder(.time(wall.now()))])
      let request = AddItemRequest(item: NewItem(id: ItemID(), content: content))
      return try await caller("ann").call(ToDoMethods.addItem, Scoped(request, in: list))
    }

    func key(_ item: ToDoItem, in list: ListID = .default) -> ReminderKey {
      ReminderKey(list: list, item: item.id, trigger: .time(wall.now()), time: wall.now())
    }

    func claim(_ item: ToDoItem, in list: ListID = .default, by name: String) async throws -> Bool {
      let claim = ReminderAcknowledgment(key(item, in: list), onlyIfDue: true)
      return try await caller(name).call(ReminderMethods.acknowledgeReminder, claim).isAcknowledged
    }

    /// Returns the titles of the reminders that are due.
    func due(_ name: String, in lists: [ListID] = []) async throws -> [String] {
      let method = ReminderMethods.watchReminders
      var titles: [String] = []
      do {
        try await caller(name).stream(method.name, method.request.encoded(lists)) { bytes in
          switch try method.response.decode(bytes: bytes) {
          case .event(.due(let reminder)): titles.append(reminder.title)
          case .event(.caughtUp): return false
          default: Issue.record("an unexpected event")
          }
          return true
        }
      } catch let error as RPCError {
        throw ToDoError(error) ?? error
      }
      return titles
    }
  }

  private func withBench(
    _ transport: ListServiceTests.Transport, isOn: Bool = true, _ body: @Sendable (Bench) async throws -> Void
  ) async throws {
    let (store, wall) = (MemoryToDoItemStore(), TestClock())
    let accounts = MemoryAccountStore(lists: store)
    let directory = ListDirectory(accounts)
    let list = LocalToDoService(store: store, clock: wall).among(directory)
    let book = ReminderBook(accounts, clock: ContinuousClock(), wallClock: wall, timeZones: TimeZoneFiles())
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: nil, unixUsers: []),
      userLists: UserLists(directory, list: list, sharedAmong: accounts), reminders: isOn ? book : nil
    ) { list.list(of: $0) }
    let monitor = Task { await access.monitorAccounts() }
    defer { monitor.cancel() }
    let tokens = try await accounts.addUsersWithTokens().mapValues { "Bearer \($0)" }
    let methods = MethodTable(serving: access, health: HealthMonitor(services: []))
    try await transport.withCallers(of: methods, tokens) { callers in
      let bench = Bench(callers: callers, accounts: accounts, list: list, wall: wall, book: book)
      let (ann, bob) = (try bench.caller("ann"), try bench.caller("bob"))
      _ = try await ann.call(ListMethods.createList, NewList(id: bench.work, name: "Work"))
      _ = try await ann.call(ListMethods.shareList, ShareListRequest(id: bench.work, user: "bob", role: .viewer))
      _ = try await bob.call(ListMethods.acceptList, bench.work)
      try await body(bench)
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func reminder_ofASharedList_isToldToEachUserOnce(over transport: ListServiceTests.Transport) async throws {
    try await withBench(transport) { bench in
      let shared = try await bench.add("Report", to: bench.work)
      let own = try await bench.add("Milk")
      #expect(try await Set(bench.due("ann")) == ["Report", "Milk"])
      #expect(try await bench.due("bob") == ["Report"])
      #expect(try await bench.due("cat") == [])
      for _ in 1...2 { #expect(try await bench.due("ann", in: [bench.work]) == ["Report"]) }
      #expect(try await bench.claim(shared, in: bench.work, by: "bob"))
      #expect(try await !bench.claim(shared, in: bench.work, by: "bob"))
      #expect(try await bench.due("bob") == [])
      #expect(try await bench.claim(shared, in: bench.work, by: "ann"))
      #expect(try await bench.claim(own, by: "ann"))
      #expect(try await bench.due("ann") == [])
    }
  }

  /// Each of them follows 201 lists at most.
  @Test(arguments: ListServiceTests.Transport.allCases)
  func watches_ofOneUser_areLimited(over transport: ListServiceTests.Transport) async throws {
    try await withBench(transport) { bench in
      let method = ReminderMethods.watchReminders
      let ann = try bench.caller("ann")
      await withTaskGroup { group in
        for _ in 1...8 {
          group.addTask { try? await ann.stream(method.name, method.request.encoded([])) { _ in true } }
        }
        while bench.book.watchCount < 8, !Task.isCancelled { await Task.yield() }
        await #expect(throws: ToDoError.listBusy(retryAfter: .seconds(1))) { try await bench.due("ann") }
        await #expect(throws: Never.self) { try await bench.due("bob") }
        group.cancelAll()
      }
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func reminder_isHiddenFromOthers(over transport: ListServiceTests.Transport) async throws {
    try await withBench(transport) { bench in
      let (shared, own) = (try await bench.add("Report", to: bench.work), try await bench.add("Milk"))
      await #expect(throws: ToDoError.itemNotFound(own.id)) { try await bench.claim(own, by: "bob") }
      await #expect(throws: ToDoError.listNotFound(bench.work)) { try await bench.due("cat", in: [bench.work]) }
      // A token for reading watches, and acknowledges nothing.
      await #expect(throws: ToDoError.readOnly) { try await bench.claim(shared, in: bench.work, by: "cat") }
      #expect(try await bench.due("cat") == [])
    }
  }

  @Test(arguments: ListServiceTests.Transport.allCases)
  func watch_endsWithItsUser(over transport: ListServiceTests.Transport) async throws {
    try await withBench(transport) { bench in
      _ = try await bench.add("Report", to: bench.work)
      let method = ReminderMethods.watchReminders
      let error = await #expect(throws: RPCError.self) {
        try await bench.caller("bob").stream(method.name, method.request.encoded([])) { bytes in
          if case .event(.caughtUp) = try method.response.decode(bytes: bytes) {
            _ = try await bench.accounts.removeUser(User.sample("bob").name)
          }
          return true
        }
      }
      #expect(error.flatMap(ToDoError.init) == .unauthenticated)
    }
  }

  @Test(arguments: [true, false]) func capability_saysWhetherThereIsTheService(_ isOn: Bool) async throws {
    try await withBench(.ttrpc, isOn: isOn) { bench in
      let ann = try bench.caller("ann")
      #expect(try await ann.call(ToDoMethods.getServerInfo, ()).capabilities.contains(.reminders) == isOn)
      guard !isOn else { return }
      let error = await #expect(throws: RPCError.self) { try await bench.due("ann") }
      #expect(error?.code == .unimplemented)
    }
  }
}
