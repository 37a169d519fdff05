import Synchronization
import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// Tests that a killed server has stored everything that it acknowledged.
@Suite(.timeLimited, .blocking) struct CrashTests {
  static let itemCount = 10_000

  @Test func items_addedAcrossCrash_areStored() async throws {
    try await withTemporaryDirectory { directory in
      func start() throws -> ServerProcess {
        try ServerProcess(
          "serve", "--listen", "unix://\(directory)/todo.sock", "--store", "sqlite:\(directory)/items.sqlite")
      }
      var server = try start()
      let client = ToDoClient(endpoint: server.endpoints[0], configuration: Self.patient)
      let new = (0..<Self.itemCount).map { index in
        NewItem(id: ItemID(high: UInt64(index), low: 1), content: ItemContent(title: "Item \(index)"))
      }

      // The server is killed after half of the additions, with others in flight. The client retries them.
      let acknowledged = Acknowledgements(pauseAt: Self.itemCount / 2)
      async let adding: Void = inParallel(new) { item in
        _ = try await client.addItem(item)
        acknowledged.add(item.id)
      }
      await acknowledged.paused()
      server.kill()
      let beforeTheCrash = acknowledged.all
      server = try start()
      let afterTheCrash = Set(try await list(client).map(\.id))
      #expect(beforeTheCrash.isSubset(of: afterTheCrash))
      try await adding
      #expect(try await list(client).count == Self.itemCount)

      // The same for every kind of change.
      let changed = Acknowledgements(pauseAt: 600)
      async let changing: Void = inParallel(Array(new.enumerated().prefix(1200))) { index, item in
        try await change(item.id, kind: index % 3, client)
        changed.add(item.id)
      }
      await changed.paused()
      server.kill()
      let acknowledgedChanges = changed.all
      server = try start()
      // Changes continue while pages are read: an item that is checked between two pages is on both.
      let items = Dictionary(try await list(client).map { ($0.id, $0) }) { $1 }
      for (index, item) in new.enumerated() where acknowledgedChanges.contains(item.id) {
        switch index % 3 {
        case 0: #expect(items[item.id]?.isDone == true)
        case 1: #expect(items[item.id]?.title == "Item \(index), edited")
        default: #expect(items[item.id] == nil)
        }
      }
      try await changing
      #expect(try await list(client).count == Self.itemCount - 400)
      let revisions = try await list(client).map(\.revision.number)
      #expect(Set(revisions).count == revisions.count)
      await client.close()
      #expect(server.terminate() == 0)
    }
  }

  /// Retries until a killed server has restarted.
  private static let patient: ToDoClient.Configuration = {
    var configuration = ToDoClient.Configuration()
    configuration.retryLimit = 100
    configuration.timeout = .seconds(300)
    configuration.backoff.maximum = .milliseconds(200)
    return configuration
  }()

  private func change(_ id: ItemID, kind: Int, _ client: ToDoClient) async throws {
    switch kind {
    case 0:
      // The client does not retry a check without a revision, which could check the next occurrence of an item that repeats.
      do { _ = try await client.checkItem(id, ifRevision: nil) } catch let error as RPCError
        where error.code == .unavailable
      {
        try await change(id, kind: kind, client)
      }
    case 1:
      var edit = ItemEdit()
      edit.title = "Item \(id.high), edited"
      _ = try await client.updateItem(id, edit, ifRevision: nil)
    default:
      // The client does not retry these calls, because the server may have performed them.
      do { _ = try await client.deleteItem(id, ifRevision: nil) } catch ToDoError.itemNotFound {
      } catch let error as RPCError where error.code == .unavailable { try await change(id, kind: kind, client) }
    }
  }

  private func list(_ client: ToDoClient) async throws -> [ToDoItem] {
    var query = ItemQuery(pageSize: 1000)
    var items: [ToDoItem] = []
    repeat {
      let page = try await client.items(query)
      items += page.items
      query.pageToken = page.nextPageToken
    } while query.pageToken != nil
    return items
  }

  /// Runs at most 64 operations at a time.
  private func inParallel<Element: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, element) in elements.enumerated() {
        if index >= 64 { try await group.next() }
        group.addTask { try await body(element) }
      }
      try await group.waitForAll()
    }
  }
}

/// The acknowledged items. A test can wait for a number of them.
private final class Acknowledgements: Sendable {
  private struct State {
    var ids: Set<ItemID> = []
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())
  private let pauseAt: Int

  init(pauseAt: Int) {
    self.pauseAt = pauseAt
  }

  var all: Set<ItemID> { state.withLock(\.ids) }

  func add(_ id: ItemID) {
    let waiter = state.withLock { state in
      state.ids.insert(id)
      return state.ids.count >= pauseAt ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  /// Waits until a number of items are acknowledged.
  func paused() async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.ids.count < pauseAt else { return true }
        state.waiter = continuation
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
