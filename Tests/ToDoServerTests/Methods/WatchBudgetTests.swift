import NIOCore
import NIOEmbedded
import Synchronization
import Testing
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoServer

/// The pages that watches hold for slow clients, which count against the budgets of their connection.
@Suite(.timeLimited) struct WatchBudgetTests {
  private let service = LocalToDoService(store: MemoryToDoItemStore(), clock: TestClock())

  /// Fills the list with items of 16 KiB.
  private func fill(_ count: UInt64) async throws {
    for number in 0..<count {
      let content = ItemContent(title: "\(number)", itemDescription: String(repeating: "x", count: 16 << 10))
      _ = try await service.addItem(
        NewItem(id: ItemID(high: 1, low: number), content: content), options: SaveOptions(allowsDuplicate: true))
    }
  }

  /// Returns a channel that is closed when its buffers exceed the budget, and a call on it.
  private func connect(budget: Int) -> (channel: NIOAsyncTestingChannel, CallContext) {
    var limits = ServerLimits()
    limits.maximumBufferedBytes = budget
    let channel = NIOAsyncTestingChannel()
    let account = ConnectionLimiter(limits).account(of: channel)
    return (channel, CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer(), account: account)))
  }

  private func watch(
    _ call: CallContext, from start: WatchStart = .snapshot, filter: ItemFilter = ItemFilter(),
    _ send: @escaping OutgoingMessages.Write
  ) async throws {
    let table = MethodTable(serving: service, health: HealthMonitor(services: []))
    let method = try #require(table.methods.first { $0.name == ToDoMethods.watchItems.name })
    guard case .streaming(let body) = method.body else { return }
    let request = ToDoMethods.watchItems.request.encoded(WatchRequest(start: start, state: .all, filter: filter))
    let work = try request.withUnsafeBytes { try body($0, Arena()) }
    try await work(call, .none, OutgoingMessages(write: send))
  }

  @Test func watches_whenUnreadPagesExceedBudget_closeConnection() async throws {
    try await fill(16)
    let (channel, call) = connect(budget: 1 << 20)
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
    let reached = Condition(0)
    await withTaskGroup { group in
      for number in 1...16 {
        group.addTask {
          try? await watch(call) { _ in
            reached.change { $0 += 1 }
            try await ContinuousClock().sleep(for: .seconds(3600))
          }
        }
        await reached.wait { $0 >= number }
        if number == 8 {
          await channel.testingEventLoop.run()
          #expect(channel.isActive)
        }
      }
      await channel.testingEventLoop.run()
      #expect(!channel.isActive)
      group.cancelAll()
    }
  }

  /// Each watch with a filter encodes the changes for itself. Watches without one share the messages.
  @Test(arguments: [false, true])
  func liveWatches_whenChangesAreUnread_closeConnectionIfFiltered(_ isFiltered: Bool) async throws {
    let (channel, call) = connect(budget: 1 << 20)
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
    let (begun, reached) = (Condition(0), Condition(0))
    let filter = isFiltered ? ItemFilter(text: "xxx") : ItemFilter()
    try await withThrowingTaskGroup { group in
      for _ in 1...16 {
        group.addTask {
          let isLive = Atomic(false)
          try? await watch(call, from: .now, filter: filter) { _ in
            // The first message is the progress.
            guard isLive.exchange(true, ordering: .relaxed) else { return begun.change { $0 += 1 } }
            reached.change { $0 += 1 }
            try await ContinuousClock().sleep(for: .seconds(3600))
          }
        }
      }
      await begun.wait { $0 == 16 }
      let text = String(repeating: "x", count: 16 << 10)
      let items = (0..<16).map { NewItem(id: ItemID(), content: ItemContent(title: "\($0)", itemDescription: text)) }
      _ = try await service.addItems(items)
      await reached.wait { $0 == 16 }
      await channel.testingEventLoop.run()
      #expect(channel.isActive != isFiltered)
      group.cancelAll()
    }
    _ = try await channel.finish(acceptAlreadyClosed: true)
  }

  @Test func watch_whenPagesAreRead_staysWithinBudget() async throws {
    try await fill(200)
    let (channel, call) = connect(budget: 256 << 10)
    try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).get()
    for _ in 0..<8 {
      let pages = Condition(0)
      let reading = Task { try await watch(call) { _ in pages.change { $0 += 1 } } }
      await pages.wait { $0 >= 50 }
      reading.cancel()
      _ = await reading.result
    }
    await channel.testingEventLoop.run()
    #expect(channel.isActive)
    _ = try await channel.finish(acceptAlreadyClosed: true)
  }
}
