import Logging
import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

/// The calendar feeds of users on a server.
@Suite(.timeLimited) struct FeedServiceTests {
  private struct Bench {
    /// The users, cat with a token for reading only, and "" for a caller without credentials.
    let clients: [String: any CalendarFeedService]
    let accounts: MemoryAccountStore
    let lists: [String: any ToDoListService]
    let info: ServiceInfo
    let log: LogText

    func client(_ name: String) throws -> any CalendarFeedService { try #require(clients[name]) }
  }

  private func withBench(
    isOn: Bool = true, rate: WriteRateLimiter? = nil, _ body: @Sendable (Bench) async throws -> Void
  ) async throws {
    let store = MemoryToDoItemStore()
    let (accounts, log) = (MemoryAccountStore(lists: store), LogText())
    let directory = ListDirectory(accounts)
    let list = LocalToDoService(store: store).among(directory)
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: OwnerID("shared"), unixUsers: []),
      userLists: UserLists(directory, list: list, sharedAmong: accounts),
      feeds: isOn ? UserFeeds(accounts, at: "https://todo.example", writeRate: rate) : nil
    ) { list.list(of: $0) }
    let tokens = try await accounts.addUsersWithTokens().merging(["": ""]) { token, _ in token }
    let logger = Logger(label: "test") { _ in log }
    let methods = MethodTable(
      serving: access, health: HealthMonitor(services: []), interceptors: [LoggingInterceptor(logger)])
    try await ListServiceTests.Transport.ttrpc.withClients(of: methods, tokens) { clients in
      var (feeds, lists) = ([String: any CalendarFeedService](), [String: any ToDoListService]())
      var info: ServiceInfo?
      for (name, client) in clients {
        guard case .ttrpc(let client) = client else { continue }
        (feeds[name], lists[name]) = (client, client)
        if name == "ann" { info = try await client.info() }
      }
      try await body(Bench(clients: feeds, accounts: accounts, lists: lists, info: try #require(info), log: log))
    }
  }

  @Test func feed_isCreatedListedAndRevoked() async throws {
    try await withBench { bench in
      #expect(bench.info.capabilities.contains(.calendarFeeds))
      let (ann, bob) = (try bench.client("ann"), try bench.client("bob"))
      let work = try await #require(bench.lists["ann"]).createList(NewList(name: "Work")).id
      let all = try await ann.createCalendarFeed(of: nil)
      let one = try await ann.createCalendarFeed(of: work)
      #expect(all.path.hasPrefix("/calendar.ics?feed=feed_\(all.feed.id)_") && all.origin == "https://todo.example")
      #expect((all.feed.list, one.feed.list) == (nil, work))
      #expect(Set(try await ann.calendarFeeds()) == [all.feed, one.feed])
      #expect(try await bob.calendarFeeds() == [])
      // The address is in no log and no store.
      let secret = all.path.suffix(64)
      #expect(bench.log.texts.allSatisfy { !$0.contains(secret) })
      let stored = "\(try await bench.accounts.tokens())"
      #expect(!stored.contains(secret) && !"\(all)".contains(secret))
      let notFound = ToDoError.calendarFeedNotFound(all.feed.id)
      await #expect(throws: notFound) { try await bob.revokeCalendarFeed(all.feed.id) }
      try await ann.revokeCalendarFeed(all.feed.id)
      #expect(try await ann.calendarFeeds() == [one.feed])
      await #expect(throws: notFound) { try await ann.revokeCalendarFeed(all.feed.id) }
    }
  }

  @Test func bearerToken_isRevokedByNobody() async throws {
    try await withBench { bench in
      let tokens = try await bench.accounts.tokens()
      for token in tokens {
        let id = CalendarFeedID(number: token.id.number)
        await #expect(throws: ToDoError.calendarFeedNotFound(id)) {
          try await bench.client("ann").revokeCalendarFeed(id)
        }
      }
      #expect(try await bench.accounts.tokens() == tokens)
    }
  }

  @Test func listOfAnother_isNotFound() async throws {
    try await withBench { bench in
      let work = try await #require(bench.lists["bob"]).createList(NewList(name: "Work")).id
      await #expect(throws: ToDoError.listNotFound(work)) {
        try await bench.client("ann").createCalendarFeed(of: work)
      }
      #expect(try await bench.client("ann").calendarFeeds() == [])
    }
  }

  @Test func readOnlyCredentials_seeFeeds_andChangeNone() async throws {
    try await withBench { bench in
      let cat = try bench.client("cat")
      #expect(try await cat.calendarFeeds() == [])
      await #expect(throws: ToDoError.readOnly) { try await cat.createCalendarFeed(of: nil) }
      await #expect(throws: ToDoError.readOnly) { try await cat.revokeCalendarFeed(CalendarFeedID(number: 1)) }
    }
  }

  @Test func callerWithoutCredentials_hasNoFeeds() async throws {
    try await withBench { bench in
      await #expect(throws: ToDoError.unauthenticated) { try await bench.client("").calendarFeeds() }
    }
  }

  @Test func feeds_areLimited() async throws {
    try await withBench { bench in
      let ann = try bench.client("ann")
      try await withThrowingTaskGroup { group in
        for _ in 0..<CalendarFeed.limit { group.addTask { _ = try await ann.createCalendarFeed(of: nil) } }
        try await group.waitForAll()
      }
      await #expect(throws: ToDoError.tooManyCalendarFeeds(limit: CalendarFeed.limit)) {
        try await ann.createCalendarFeed(of: nil)
      }
      #expect(try await ann.calendarFeeds().count == CalendarFeed.limit)
      // The limit is that of each user.
      _ = try await bench.client("bob").createCalendarFeed(of: nil)
    }
  }

  @Test func serverWithoutHTTP_hasNoFeeds() async throws {
    try await withBench(isOn: false) { bench in
      #expect(!bench.info.capabilities.contains(.calendarFeeds))
      await #expect {
        try await bench.client("ann").calendarFeeds()
      } throws: { error in
        (error as? RPCError)?.code == .unimplemented
      }
    }
  }
}
