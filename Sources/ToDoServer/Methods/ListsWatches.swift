import NIOCore
import Synchronization
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoRules

/// The calls of WatchItems that name several lists.
struct ListsWatches: Sendable {
  private let access: any AccessControl
  private let changes: EncodedChangeCache
  // Each follows up to as many lists as other calls together could.
  private let turns = OwnerTurns(concurrency: 16, waitingLimit: 0)

  /// - Parameter changes: the encoded changes, which watches of one list share.
  init(_ access: any AccessControl, _ changes: EncodedChangeCache) {
    (self.access, self.changes) = (access, changes)
  }

  /// Sends the events of a call until it is canceled, or the watches of all lists have ended.
  func run(_ request: Scoped<WatchRequest>, for call: CallContext, _ outgoing: OutgoingMessages) async throws {
    let lists = request.lists
    let grant = try await access.grant(for: call)
    guard let userLists = access.userLists else {
      throw ToDoError.listNotFound(lists.first { !$0.list.isDefault }?.list ?? .default)
    }
    try await access.withGrant(grant, for: call) { [self] in
      try await turns.run(for: grant.account) {
        let buffers = ListBuffers(call.connection.account)
        defer { buffers.end() }
        let watch = ListsWatch(
          userLists.lists(of: grant.account),
          items: { [access] in try await access.grant(for: call, in: $0).list }, measure: { buffers.keep($1, of: $0) })
        try await watch.run(lists, state: request.request.state, filter: request.request.filter) { event in
          var messages = try event.messages(of: grant, request.request, changes)
          try await messages.send(to: outgoing) { buffers.keep(messages: $0) }
        }
      }
    }
  }
}

extension ListWatchEvent {
  /// Returns the encoded messages of the event.
  fileprivate func messages(
    of grant: AccessGrant, _ request: WatchRequest, _ changes: EncodedChangeCache
  ) throws -> EventMessages {
    func buffer(_ content: ListWatchMessage.Content) -> ByteBuffer {
      ToDoMethods.watchItemsInLists.encoded(ListWatchMessage(list, content))
    }
    func encoded(_ content: ListWatchMessage.Content) -> EventMessages { EventMessages([buffer(content)]) }
    switch content {
    case .ended(let error): return encoded(.ended(RPCError(error)))
    // Other watches hardly have the same filter.
    case .event(.changes(let set)) where !request.filter.isEmpty:
      return EventMessages(ofOneWatch: set.messages().map { buffer(.message($0)) })
    case .event(.changes(let set)):
      let owner = list.isDefault ? grant.owner : OwnerID(list)
      return EventMessages(changes.messages(of: set, owner, request.state, in: list))
    case .event(.snapshotPage(let items)): return encoded(.message(.snapshotPage(items)))
    case .event(.snapshotEnd(let revision)): return encoded(.message(.snapshotEnd(revision)))
    case .event(.progress(let revision)): return encoded(.message(.progress(revision)))
    // Only a service that is itself a client emits this event. The changes before it are unknown here.
    case .event(.restarted): throw ToDoError.revisionCompacted(oldest: .initial)
    }
  }
}

/// The bytes that a call's watches hold for a caller that reads slowly. They count against the connection's budget.
private final class ListBuffers: Sendable {
  private struct State {
    var meter: BufferMeter?
    var sizes: [ListID: Int] = [:]
    /// The sum of `sizes`.
    var total = 0
    /// The size of the messages that are being sent.
    var messages = 0
  }

  private let state: Mutex<State>

  init(_ account: ConnectionAccount?) { state = Mutex(State(meter: account.map { BufferMeter($0) })) }

  /// Sets the number of bytes that the watch of a list holds.
  func keep(_ size: Int, of list: ListID) {
    state.withLock { state in
      state.total += size - (state.sizes.updateValue(size, forKey: list) ?? 0)
      state.meter?.keep(state.total + state.messages)
    }
  }

  /// Sets the number of bytes of the messages that are being sent.
  func keep(messages size: Int) {
    state.withLock { state in
      state.messages = size
      state.meter?.keep(state.total + state.messages)
    }
  }

  func end() {
    state.withLock { $0.meter?.end() }
  }
}
