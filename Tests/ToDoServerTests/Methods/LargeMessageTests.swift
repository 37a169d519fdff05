import Testing
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import ToDoServer

/// Methods whose messages can be large, which are not decoded or built on the event loop that serves other users too.
@Suite(.timeLimited) struct LargeMessageTests {
  /// A list that admits one write.
  private let list: LocalToDoService

  init() {
    var limits = WriteRateLimiter.Limits()
    limits.items = WriteRateLimiter.Rate(perSecond: 1, burst: 1)
    list = LocalToDoService(
      store: MemoryToDoItemStore(), owner: OwnerID("ann"), writeRate: WriteRateLimiter(limits) { .zero },
      clock: TestClock())
  }

  private var table: MethodTable { MethodTable(serving: list, health: HealthMonitor(services: [])) }

  /// Returns the response to a batch that cannot be decoded.
  private func malformedBatch() throws -> Lookup<OutgoingMessage>? {
    try lookUp("BatchAddItems", [UInt8](repeating: 0xff, count: 100), in: table)
  }

  private func lookUp(
    _ name: String, _ request: [UInt8], in table: MethodTable
  ) throws -> Lookup<OutgoingMessage>? {
    let method = try #require(table.methods.first { $0.name.method == name })
    guard case .unary(let body) = method.body else { return nil }
    let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
    return try request.withUnsafeBytes { try body($0, Arena(), call) }
  }

  @Test func methods_runOnEventLoop_onlyIfTheirMessagesAreSmall() {
    let others = table.methods.filter { $0.name.service == ToDoMethods.service && !$0.runsOnEventLoop }
    #expect(
      Set(others.map(\.name.method)) == [
        "BatchAddItems", "ListChanges", "ListItems", "ListNearbyItems", "ListRevisions", "ParseQuickAdd",
        "WatchItems",
      ])
  }

  @Test(arguments: ["ListChanges", "ListItems", "ListRevisions"])
  func largeResponses_ofOneList_takeTurns(_ name: String) async throws {
    let turns = OwnerTurns(concurrency: 1)
    let table = MethodTable(serving: OpenAccess(to: list), health: HealthMonitor(services: []), turns: turns)
    let call = try await turns.run(for: .local) {
      let call = Task.immediate { try await lookUp(name, [], in: table)?.value }
      #expect(turns.waitingCount(of: .local) == 1)
      return call
    }
    #expect(try await call.value != nil)
    #expect(turns.waitingCount(of: .local) == 0)
  }

  @Test func historyPages_ofOneList_leaveATurnForOtherResponses() async throws {
    let turns = OwnerTurns(concurrency: 1)
    let table = MethodTable(serving: OpenAccess(to: list), health: HealthMonitor(services: []), turns: turns)
    let calls = try await turns.run(for: .local) {
      let calls = (0..<3).map { _ in Task.immediate { try await lookUp("ListRevisions", [], in: table)?.value } }
      #expect(turns.waitingCount(of: .local) == 1)
      return calls
    }
    for call in calls { #expect(try await call.value != nil) }
  }

  @Test func batch_isDecodedByItsWork() async throws {
    let lookup = try malformedBatch()
    await #expect(throws: DecodingFailure.self) { try await lookup?.value }
  }

  @Test func batch_whenWriteRateIsExceeded_isRejectedWithoutDecodingIt() async throws {
    let item = NewItem(id: ItemID(high: 1, low: 1), content: ItemContent(title: "Milk"))
    _ = try await list.addItem(item)
    let error = #expect(throws: RPCError.self) { try malformedBatch() }
    #expect(error?.reason == "WRITE_RATE_EXCEEDED")
  }
}
