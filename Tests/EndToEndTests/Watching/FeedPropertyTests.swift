import Foundation
import Synchronization
import TTRPCTransport
import TestSupport
import Testing
import ToDoClient
import ToDoModel
import ToDoStores

/// How long to go on; 0: once.
private let feedSeconds = ProcessInfo.processInfo.environment["TODO_FEED_SECONDS"].flatMap(Int.init) ?? 0

/// What a feed of changes promises, whatever writers, watchers, compaction and crashes do.
///
/// By hand, for as long as `TODO_FEED_SECONDS` says, with a new seed each time:
///
///     TODO_FEED_SECONDS=3600 swift test --filter FeedPropertyTests
@Suite(.serialized, .timeLimit(.minutes(10 + feedSeconds / 60))) struct FeedPropertyTests {
  /// Forgets soon, so that watchers that stay away too long are told so.
  private static let retention = ChangeRetention(age: .zero, count: 100)

  @Test func inOneProcess_everyPromiseIsKept() async throws {
    try await repeatedly { seed in
      try await withTemporaryDirectory { directory in
        let store = try SQLiteToDoItemStore(path: "\(directory)/items.sqlite", retention: Self.retention)
        var configuration = ChangeFeed.Configuration()
        configuration.tailLimit = 20
        configuration.progressInterval = .milliseconds(5)
        let service = LocalToDoService(store: store, feed: ChangeFeed(store, configuration: configuration))
        let checker = try await FeedExperiment(service: { service }, seed: seed).run()
        #expect(checker.violations.isEmpty, "seed \(seed)")
        await store.close()
      }
    }
  }

  @Test func ofTwoStoresOnOneFile_eachSeesTheOthersChanges() async throws {
    try await repeatedly { seed in
      try await withTemporaryDirectory { directory in
        let stores = try (0..<2).map { _ in
          try SQLiteToDoItemStore(path: "\(directory)/items.sqlite", retention: Self.retention)
        }
        let services = stores.map { LocalToDoService(store: $0) }
        let turn = Mutex(0)
        let experiment = FeedExperiment(
          service: {
            turn.withLock { turn in
              turn += 1
              return services[turn % 2]
            }
          }, seed: seed, operations: 60)
        let checker = try await experiment.run()
        #expect(checker.violations.isEmpty, "seed \(seed)")
        for store in stores { await store.close() }
      }
    }
  }

  @Test func ofAServerThatIsKilled_everyPromiseIsKept() async throws {
    try await repeatedly { seed in
      try await withTemporaryDirectory { directory in
        let server = Mutex(try Self.start(in: directory))
        let client = ToDoClient(
          endpoint: .unix(path: "\(directory)/todo.sock"), configuration: TestClient.configuration(retries: 100))
        var experiment = FeedExperiment(service: { client }, seed: seed)
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

  // MARK: A broken feed

  /// Each promise that the service breaks is noticed, so that a feed that passes above has kept it.
  @Test(arguments: BrokenFeed.Fault.allCases)
  func aServiceThatBreaksAPromise_isFoundOut(_ fault: BrokenFeed.Fault) async throws {
    let store = MemoryToDoItemStore(retention: ChangeRetention(age: .zero, count: 100_000))
    var configuration = ChangeFeed.Configuration()
    configuration.progressInterval = .milliseconds(1)
    let service = BrokenFeed(
      base: LocalToDoService(store: store, feed: ChangeFeed(store, configuration: configuration)), fault: fault)
    let checker = try await FeedExperiment(service: { service }, operations: 60).run()
    #expect(checker.violations.contains { $0.promise == fault.promise })
  }

  private static func start(in directory: String) throws -> ServerProcess {
    try ServerProcess(
      "serve", "--listen", "unix://\(directory)/todo.sock", "--store", "sqlite:\(directory)/items.sqlite",
      "--keep-changes", "100", "--keep-changes-for", "0s")
  }

  /// Once, or for as long as the environment says.
  private func repeatedly(_ body: (UInt64) async throws -> Void) async throws {
    let end = ContinuousClock.now + .seconds(feedSeconds / 3)
    repeat {
      try await body(feedSeconds == 0 ? 1 : .random(in: 2 ... .max / 2_000))
    } while ContinuousClock.now < end
  }
}
