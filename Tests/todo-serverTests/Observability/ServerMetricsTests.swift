import CoreMetrics
import MetricsTestKit
import Synchronization
import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoServer
@testable import todo_server

/// The metrics of watches, caches, commits and geocoders.
@Suite(.timeLimited) struct ServerMetricsTests {
  private let metrics = TestMetrics()
  private let directory: TemporaryDirectory
  private let new = NewItem(id: .sample(1), content: ItemContent(title: "Buy milk"))

  init() throws { directory = try TemporaryDirectory() }

  /// Serves the store of `todo-server` with metrics, and calls it.
  private func withClient(_ body: (ToDoClient) async throws -> Void) async throws {
    let observability = Observability(metrics: metrics)
    let store = try OpenStore(
      .sqlite(path: directory.file("items.sqlite")), retention: ChangeRetention(), cacheSize: 1 << 20,
      observability: observability)
    let list = observability.observing(LocalToDoService(store: store.items))
    let methods = MethodTable(
      serving: OpenAccess(to: list), health: HealthMonitor(services: []), observability: observability)
    try await TestServer.with(methods) { server async throws in
      try await TestClient.withClient(of: server.endpoint, body)
    }
    await store.close()
  }

  private func lookups(_ cache: String, _ result: String) throws -> Int64 {
    try metrics.expectCounter("todo_cache_lookups", [("cache", cache), ("result", result)]).totalValue
  }

  // MARK: Watches

  @Test func watches_areCountedUntilTheyEnd() async throws {
    try await withClient { client async throws in
      let watches = try metrics.expectMeter("todo_watches_running")
      let revision = try await client.items(ItemQuery()).revision
      do {
        let events = Subscription(client.watch(from: .now, state: .all))
        #expect(try await events.next() == .progress(revision))
        #expect(watches.values == [1])
      }
      // The watch ends with its iterator.
      while watches.lastValue != 0 {
        try Task.checkCancellation()
        await Task.yield()
      }
    }
  }

  @Test func watch_whenItIsRejected_isNotCountedAfterwards() async throws {
    try await withClient { client async throws in
      await #expect(throws: ToDoError.self) {
        for try await _ in client.watch(from: .after(Revision(9)), state: .all) {}
      }
      #expect(try metrics.expectMeter("todo_watches_running").values == [1, 0])
    }
  }

  // MARK: Stores

  @Test func reserve_ofMeasuredStore_isReleased() async throws {
    let store = try OpenStore(
      .sqlite(path: directory.file("items.sqlite")), retention: ChangeRetention(), cacheSize: 1 << 20,
      observability: Observability(metrics: metrics))
    #expect(try directory.files.contains("items.sqlite.reserve"))
    await store.items.releaseReserve()
    #expect(try !directory.files.contains("items.sqlite.reserve"))
    await store.close()
  }

  // MARK: Caches

  @Test func itemCache_countsHitsAndMisses() async throws {
    try await withClient { client async throws in
      _ = try await client.addItem(new)
      #expect(try lookups("item", "miss") == 0)
      for _ in 0..<2 { _ = try await client.item(.sample(1)) }
      // The first read fills the cache.
      #expect(try lookups("item", "hit") == 1)
      #expect(try lookups("item", "miss") == 1)
      await #expect(throws: ToDoError.itemNotFound(.sample(2))) { try await client.item(.sample(2)) }
      #expect(try lookups("item", "miss") == 2)
      #expect(try lookups("item", "hit") == 1)
    }
  }

  @Test func pageCache_countsHitsAndMisses() async throws {
    try await withClient { client async throws in
      for _ in 0..<3 { _ = try await client.items(ItemQuery()) }
      #expect(try lookups("page", "miss") == 1)
      #expect(try lookups("page", "hit") == 2)
      _ = try await client.addItem(new)
      _ = try await client.items(ItemQuery())
      #expect(try lookups("page", "miss") == 2)
      #expect(try lookups("page", "hit") == 2)
    }
  }

  @Test func changeCache_countsHitsAndMisses() async throws {
    try await withClient { client async throws in
      let watches = (0..<2).map { _ in Subscription(client.watch(from: .now, state: .all)) }
      for index in watches.indices { _ = try await watches[index].next() }
      _ = try await client.addItem(new)
      for index in watches.indices {
        guard case .changes = try await watches[index].next() else {
          Issue.record("the watch has no change")
          return
        }
      }
      #expect(try lookups("change", "miss") == 1)
      #expect(try lookups("change", "hit") == 1)
    }
  }

  @Test func searchCache_countsMissThenHit() async throws {
    try await withClient { client async throws in
      let texts = (1...2_100).map { "Number \($0)" }
      for (batch, start) in stride(from: 0, to: texts.count, by: 100).enumerated() {
        let items = texts[start..<(start + 100)].enumerated().map { index, title in
          NewItem(id: .sample(UInt64(batch * 100 + index)), content: ItemContent(title: title))
        }
        _ = try await client.addItems(items, options: SaveOptions(allowsDuplicate: true))
      }
      for size in [10, 20] { _ = try await client.items(ItemQuery(text: "nowhere", pageSize: size)) }
      #expect(try lookups("search", "miss") == 1)
      #expect(try lookups("search", "hit") == 1)
    }
  }

  @Test func geocoderCache_isObservedUnderItsName() throws {
    try #require(Observability(metrics: metrics).geocoderCacheObserver).didLookUp(isHit: true)
    #expect(try lookups("geocoder", "hit") == 1)
    #expect(try lookups("geocoder", "miss") == 0)
  }

  // MARK: Commits

  @Test func commits_areTimedWithTheirNumberOfWrites() async throws {
    try await withClient { client async throws in
      _ = try await client.addItem(new)
      let duration = try metrics.expectTimer("todo_commit_duration", [("result", "committed")])
      #expect(duration.values.count == 1)
      let last = try #require(duration.lastValue)
      #expect(last > 0)
      #expect(try metrics.expectRecorder("todo_commit_writes", [("result", "committed")]).values == [1])
      #expect(try metrics.expectTimer("todo_commit_duration", [("result", "failed")]).values == [])
    }
  }

  @Test func commit_whenItFails_isTimedAsFailed() throws {
    let observer = try #require(Observability(metrics: metrics).storeObservers.writeGroups)
    observer.didEnd(writeCount: 3, duration: .milliseconds(2), isCommitted: false)
    #expect(try metrics.expectTimer("todo_commit_duration", [("result", "failed")]).values == [2_000_000])
    #expect(try metrics.expectRecorder("todo_commit_writes", [("result", "failed")]).values == [3])
    #expect(try metrics.expectRecorder("todo_commit_writes", [("result", "committed")]).values == [])
  }

  @Test func undeclaredReads_areCounted() throws {
    let observer = try #require(Observability(metrics: metrics).storeObservers.writeGroups)
    observer.didReadUndeclared(count: 2)
    observer.didReadUndeclared(count: 1)
    #expect(try metrics.expectCounter("todo_commit_undeclared_reads").values == [2, 1])
  }

  // MARK: Geocoders

  @Test(arguments: [
    ("unavailable", GeocoderError.unavailable(detail: "down")), ("not_permitted", .notPermitted),
    ("rate_limited", .rateLimited(retryAfter: nil)), ("timed_out", .timedOut),
    ("malformed_response", .malformedResponse(detail: "no JSON")),
  ])
  func geocoder_whenItFails_countsOutcome(_ outcome: String, _ error: GeocoderError) async throws {
    let geocoder = Observability(metrics: metrics).observing(StubGeocoder(failingWith: error), named: "stub")
    await #expect(throws: error) { try await geocoder.candidates(for: GeocodeQuery(address: "here")) }
    try expectOutcomes([outcome: 1])
  }

  @Test func geocoder_whenItSucceeds_countsOutcomeAndDuration() async throws {
    let seconds = Mutex(0)
    let start = ContinuousClock.now
    let geocoder = MeasuredGeocoder(MockGeocoder(), named: "stub", metrics) {
      start
        + .seconds(
          seconds.withLock { seconds in
            seconds += 1
            return seconds
          })
    }
    #expect(try await geocoder.candidates(for: GeocodeQuery(address: .alteAddress)) == [.alte])
    #expect(try await geocoder.candidates(for: GeocodeQuery(address: "Nowhere")) == [])
    #expect(geocoder.attribution == MockGeocoder().attribution)
    try expectOutcomes(["found": 1, "not_found": 1])
    let duration = try metrics.expectTimer("todo_geocoder_lookup_duration", [("geocoder", "stub")])
    #expect(duration.values == [1_000_000_000, 1_000_000_000])
  }

  @Test func geocoder_whenCallerIsCancelled_countsOutcome() async throws {
    let geocoder = Observability(metrics: metrics).observing(StubGeocoder([.alte]), named: "stub")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await geocoder.candidates(for: GeocodeQuery(address: "here"))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    try expectOutcomes(["cancelled": 1])
  }

  /// Expects the number of lookups with each outcome, and none with any other.
  private func expectOutcomes(_ expected: [String: Int64]) throws {
    let counters = metrics.counters.filter { $0.label == "todo_geocoder_lookups" }
    #expect(counters.count == 8)
    var found: [String: Int64] = [:]
    for counter in counters where counter.totalValue > 0 {
      let dimensions = Dictionary(uniqueKeysWithValues: counter.dimensions)
      #expect(dimensions["geocoder"] == "stub")
      found[dimensions["outcome"] ?? ""] = counter.totalValue
    }
    #expect(found == expected)
  }
}
