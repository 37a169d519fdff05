import Foundation
import Synchronization
import Testing
import ToDoClient
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

#if PostgreSQL
import ToDoTestPostgreSQL
import ToDoPostgreSQLStore
#endif

/// The duration of each test in seconds; 0 runs it once.
private let feedSeconds = ProcessInfo.processInfo.environment["TODO_FEED_SECONDS"].flatMap(Int.init) ?? 0

/// The guarantees of the change feed under concurrent writers, moves between lists, watchers, compaction and crashes, and for users who
/// join and leave lists.
///
/// `TODO_FEED_SECONDS` repeats the tests for that time, with a new seed each time:
///
///     TODO_FEED_SECONDS=3600 swift test --filter FeedPropertyTests
@Suite(.serialized, .timeLimit(.minutes(10 + feedSeconds / 60))) struct FeedPropertyTests {
  /// Compacts changes soon, so that watchers that return late have to restart.
  private static let retention = ChangeRetention(age: .zero, count: 100)

  @Test func feed_inOneProcess_fulfillsEveryGuarantee() async throws {
    try await repeatedly { seed in
      try await withTemporaryDirectory { directory in
        let store = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite", retention: Self.retention)
        var configuration = ChangeFeed.Configuration()
        configuration.tailLimit = 20
        configuration.progressInterval = .milliseconds(5)
        let accounts = try SQLiteAccountStore(path: "\(directory)/items.sqlite")
        let lists = LocalToDoListService(
          ListDirectory(accounts),
          defaultList: LocalToDoService(store: store, feed: ChangeFeed(store, configuration: configuration)))
        let checker = try await FeedExperiment(lists: { lists }, seed: seed).run()
        #expect(checker.violations.isEmpty, "seed \(seed)")
        accounts.close()
        await store.close()
      }
    }
  }

  @Test func feed_whenTwoStoresShareFile_fulfillsEveryGuarantee() async throws {
    try await repeatedly { seed in
      try await withTemporaryDirectory { directory in
        let stores = try (0..<2).map { _ in
          try SQLiteToDoItemStore(path: "\(directory)/items.sqlite", retention: Self.retention)
        }
        let accounts = try stores.map { _ in try SQLiteAccountStore(path: "\(directory)/items.sqlite") }
        try await check(zip(stores, accounts).map { ($0, $1) }, seed)
        for store in accounts { store.close() }
        for store in stores { await store.close() }
      }
    }
  }

  #if PostgreSQL
  @Test func feed_whenServersShareDatabase_fulfillsEveryGuarantee() async throws {
    try await repeatedly { seed in
      let database = try PrivatePostgreSQL.run().makeDatabase()
      let stores = try (0..<3).map { _ in
        try PostgreSQLToDoItemStore(uri: database, retention: Self.retention)
      }
      let accounts = try stores.map { _ in try PostgreSQLAccountStore(uri: database) }
      try await check(zip(stores, accounts).map { ($0, $1) }, seed)
      for store in accounts { store.close() }
      for store in stores { await store.close() }
    }
  }
  #endif

  /// Checks the feeds of several servers with one database.
  private func check(_ stores: [(items: any ToDoItemStore, lists: any ListStore)], _ seed: UInt64) async throws {
    let services = stores.map {
      LocalToDoListService(ListDirectory($0.lists), defaultList: LocalToDoService(store: $0.items))
    }
    let turn = Mutex(0)
    let experiment = FeedExperiment(
      lists: {
        turn.withLock { turn in
          turn += 1
          return services[turn % services.count]
        }
      }, seed: seed, operations: 60)
    let checker = try await experiment.run()
    #expect(checker.violations.isEmpty, "seed \(seed)")
  }

  @Test func feed_whenServerIsKilled_keepsEveryGuarantee() async throws {
    try await repeatedly { seed in
      try await withTemporaryDirectory { directory in
        let server = Mutex(try Self.start(in: directory))
        let client = ToDoClient(
          endpoint: .unix(path: "\(directory)/todo.sock"), configuration: TestClient.configuration(retries: 100))
        var experiment = FeedExperiment(lists: { client }, seed: seed)
        experiment.interruptions = [150, 300, 450].map { count in
          FeedExperiment.Interruption(count: count) {
            try server.withLock { server in
              server.kill()
              server = try Self.start(in: directory)
            }
          }
        }
        let checker = try await experiment.run()
        #expect(checker.violations.isEmpty, "seed \(seed)")
        await client.close()
      }
    }
  }

  // MARK: Memberships

  @Test(arguments: [(Arrangement.direct, StoreKind.memory), (.direct, .sqlite), (.tcp, .memory)])
  func feeds_whileMembershipsChange_tellWhatTheModelSays(_ arrangement: Arrangement, _ store: StoreKind) async throws {
    try await repeatedly { seed in
      try await arrangement.withUsers(store) { users in try await Self.check(users, seed) }
    }
  }

  #if PostgreSQL
  @Test func feeds_whileMembershipsChangeInPostgreSQL_tellWhatTheModelSays() async throws {
    try await repeatedly { seed in
      let database = try PrivatePostgreSQL.run().makeDatabase()
      let store = try PostgreSQLToDoItemStore(uri: database)
      let accounts = try PostgreSQLAccountStore(uri: database)
      try await Self.check(try await ServiceContract.Users(over: store, accounts), seed)
      accounts.close()
      await store.close()
    }
  }
  #endif

  private static func check(_ users: ServiceContract.Users, _ seed: UInt64) async throws {
    var experiment = MembershipExperiment(users, seed: seed)
    let violations = try await experiment.run()
    #expect(violations.isEmpty, "seed \(seed): \(violations)")
    guard feedSeconds == 0 else { return }
    // Otherwise the history shows nothing.
    #expect(experiment.succeeded.count == MembershipExperiment.kinds, "\(experiment.succeeded)")
    #expect(experiment.refused > 20)
  }

  @Test(arguments: MembershipFeed.Fault.allCases)
  func check_whenFeedViolatesGuaranteeOfMembers_detectsIt(_ fault: MembershipFeed.Fault) async throws {
    try await Arrangement.direct.withUsers(.memory) { users in
      var experiment = MembershipExperiment(users, fault: fault)
      let violations = try await experiment.run()
      #expect(violations.contains { $0.guarantee == fault.guarantee }, "\(violations)")
    }
  }

  // MARK: Faulty feeds

  /// The checker detects the violation of each guarantee, so a feed that passes the tests above keeps it.
  @Test(arguments: BrokenFeed.Fault.allCases)
  func check_whenFeedViolatesGuarantee_detectsIt(_ fault: BrokenFeed.Fault) async throws {
    let store = MemoryToDoItemStore(retention: ChangeRetention(age: .zero, count: 100_000))
    var configuration = ChangeFeed.Configuration()
    configuration.progressInterval = .milliseconds(1)
    let lists = LocalToDoListService(
      ListDirectory(MemoryAccountStore(lists: store)),
      defaultList: LocalToDoService(store: store, feed: ChangeFeed(store, configuration: configuration)))
    let experiment = FeedExperiment(
      lists: { lists }, feed: { BrokenFeed(base: $0, elsewhere: $1, fault: fault) }, operations: 60)
    let checker = try await experiment.run()
    #expect(checker.violations.contains { $0.guarantee == fault.guarantee })
  }

  private static func start(in directory: String) throws -> ServerProcess {
    try ServerProcess(
      "serve", "--listen", "unix://\(directory)/todo.sock", "--store", "sqlite:\(directory)/items.sqlite",
      "--keep-changes", "100", "--keep-changes-for", "0s")
  }

  /// Runs `body` once, or for the time that the environment specifies.
  private func repeatedly(_ body: (UInt64) async throws -> Void) async throws {
    let end = ContinuousClock.now + .seconds(feedSeconds / 3)
    repeat {
      try await body(feedSeconds == 0 ? 1 : .random(in: 2 ... .max / 2_000))
    } while ContinuousClock.now < end
  }
}
