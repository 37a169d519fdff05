import InMemoryTracing
import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestServers
import ToDoTestSupport
import Tracing

@testable import ToDoServer

/// The spans of a call: the call, the rules and the commit.
@Suite(.timeLimited) struct ServerSpanTests {
  private typealias Span = FinishedInMemorySpan

  private let tracer = InMemoryTracer()
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Serves a list in SQLite with spans, and calls it.
  private func withClient(_ body: (ToDoClient) async throws -> Void) async throws {
    let observability = Observability(tracer: tracer)
    let store = try SQLiteToDoItemStore(path: directory.file("items.sqlite"), cacheSize: 1 << 20)
    let list = observability.observing(LocalToDoService(store: observability.observing(store)))
    let methods = MethodTable(
      serving: OpenAccess(to: list), health: HealthMonitor(services: []), observability: observability,
      interceptors: observability.interceptors)
    try await TestServer.with(methods) { server async throws in
      try await TestClient.withClient(of: server.endpoint, body)
    }
    await store.close()
  }

  /// Returns the spans of the calls since the last time, each after its children.
  private func spans() -> [Span] { tracer.popFinishedSpans() }

  private func expect(_ spans: [Span], named names: String...) {
    #expect(spans.map(\.operationName) == names)
    for (child, parent) in zip(spans, spans.dropFirst()) {
      #expect(child.parentSpanID == parent.spanID)
      #expect(child.traceID == parent.traceID)
      #expect(child.kind == .internal)
    }
  }

  private func operation(_ span: Span) -> SpanAttribute? { span.attributes["todo.operation"]?.toSpanAttribute() }

  private let new = NewItem(id: .sample(1), content: ItemContent(title: "Buy milk"))

  @Test func write_hasSpansOfCallRulesAndCommit() async throws {
    try await withClient { client async throws in
      _ = try await client.addItem(new)
      let spans = spans()
      expect(spans, named: "commit", "rules", "todo.v1.ToDoService/AddItem")
      #expect(operation(spans[1]) == .string("addItem"))
      #expect(spans.map(\.errors.count) == [0, 0, 0])
    }
  }

  @Test func write_whenTransactionRejectsIt_failsEverySpan() async throws {
    try await withClient { client async throws in
      _ = try await client.addItem(new)
      _ = spans()
      let duplicate = NewItem(id: .sample(2), content: new.content)
      await #expect(throws: ToDoError.duplicateItem(.sample(2), existing: .sample(1))) {
        try await client.addItem(duplicate)
      }
      let spans = spans()
      expect(spans, named: "commit", "rules", "todo.v1.ToDoService/AddItem")
      #expect(spans.map(\.errors.count) == [1, 1, 1])
      let codes = spans.map { $0.status?.code }
      #expect(codes == [.error, .error, .error])
    }
  }

  @Test func write_whenRulesRejectIt_hasNoCommit() async throws {
    try await withClient { client async throws in
      await #expect(throws: ToDoError.self) {
        try await client.addItem(NewItem(id: .sample(1), content: ItemContent(title: "")))
      }
      let spans = spans()
      expect(spans, named: "rules", "todo.v1.ToDoService/AddItem")
      #expect(spans.map(\.errors.count) == [1, 1])
    }
  }

  @Test func read_whetherCachedOrNot_hasSpansOfCallAndRules() async throws {
    try await withClient { client async throws in
      _ = try await client.addItem(new)
      _ = spans()
      _ = try await client.item(.sample(1))
      await #expect(throws: ToDoError.itemNotFound(.sample(2))) { try await client.item(.sample(2)) }
      let spans = spans()
      expect(Array(spans.prefix(2)), named: "rules", "todo.v1.ToDoService/GetItem")
      expect(Array(spans.dropFirst(2)), named: "rules", "todo.v1.ToDoService/GetItem")
      #expect(operation(spans[0]) == .string("item"))
      #expect(spans.map(\.errors.count) == [0, 0, 1, 1])
    }
  }

  @Test func listing_whenPageIsCached_hasNoSpanOfRules() async throws {
    try await withClient { client async throws in
      _ = try await client.items(ItemQuery())
      expect(spans(), named: "rules", "todo.v1.ToDoService/ListItems")
      _ = try await client.items(ItemQuery())
      expect(spans(), named: "todo.v1.ToDoService/ListItems")
    }
  }

  @Test func seams_withoutBackend_areReturnedUnchanged() {
    let observability = Observability()
    let store = MemoryToDoItemStore()
    #expect(observability.observing(store) as? MemoryToDoItemStore === store)
    #expect(observability.observing(LocalToDoService(store: store)) is LocalToDoService)
    #expect(observability.observing(MockGeocoder(), named: "mock") is MockGeocoder)
    #expect(observability.storeObservers.writeGroups == nil)
    #expect(observability.storeObservers.searchIndexes == nil)
  }

  @Test(arguments: StoreContract.rules)
  func observedStore_keepsTheContract(_ rule: ContractRule<any ToDoItemStore>) async throws {
    try await rule.check(Observability(tracer: tracer).observing(MemoryToDoItemStore()))
  }
}
