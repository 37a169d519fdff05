public import Observation
import Synchronization
import TTRPC
public import ToDoModel

/// A list that stays current, for whoever shows it.
///
///     let model = ToDoListModel(service: client)
///     async let end: Void = model.run()
///     for await list in model.updates { show(list.toDo, list.done) }
///
/// `updates` is for code that awaits; `list` can also be observed with `withObservationTracking`, and by whatever is
/// built on it, as SwiftUI is. Any task may use the model.
public final class ToDoListModel: Sendable {
  private struct State {
    var list: ToDoListState
    var phase = Phase.waiting
    var subscribers: [Int: AsyncStream<ToDoList>.Continuation] = [:]
    var nextSubscriber = 0
  }

  private enum Phase {
    case waiting, running, over
  }

  private let service: any ToDoService
  private let shown: ItemState
  private let maximumSize: Int
  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()

  /// Watches nothing yet.
  ///
  /// - Parameter shown: which items the list has.
  public convenience init(service: any ToDoService, showing shown: ItemState = .all) {
    self.init(service: service, showing: shown, maximumSize: ReceiveBudget.defaultLimit)
  }

  /// - Parameter maximumSize: the size in bytes that ends the model with an error, as in `ReceiveBudget`.
  package init(service: any ToDoService, showing shown: ItemState = .all, maximumSize: Int) {
    self.service = service
    self.shown = shown
    self.maximumSize = maximumSize
    state = Mutex(State(list: ToDoListState(showing: shown)))
  }

  /// The list as it is known; `nil` until it has been read for the first time.
  public var list: ToDoList? {
    registrar.access(self, keyPath: \.list)
    return state.withLock(\.list.list)
  }

  /// Keeps the list current for as long as the caller's task lives.
  ///
  /// The watch resumes by itself where it was too slow, and a `ToDoClient`'s where its connection was lost. The model
  /// can run again when this has ended; it must not run twice at a time.
  ///
  /// - Throws: what the service's `watch` throws, `RPCError` if the list outgrows what a client holds, and
  ///   `CancellationError`.
  public func run() async throws {
    state.withLock { state in
      precondition(state.phase != .running, "the model runs already")
      state.phase = .running
      state.list.apply(.restarted)
    }
    defer { end() }
    try await service.watchOn(from: .snapshot, state: shown) { try apply($0) }
    try Task.checkCancellation()
  }

  /// The current list, when it is known, and then every change, until the model ends.
  ///
  /// Each use is a subscription of its own. It holds the latest list only: who is slow misses what came between, and
  /// nobody waits for anybody. Of a model that has ended, it is the last list.
  public var updates: AsyncStream<ToDoList> {
    let (stream, continuation) = AsyncStream.makeStream(of: ToDoList.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      if let list = state.list.list { continuation.yield(list) }
      guard state.phase != .over else { return nil }
      state.nextSubscriber += 1
      state.subscribers[state.nextSubscriber] = continuation
      return state.nextSubscriber
    }
    if let id {
      continuation.onTermination = { [weak self] _ in self?.unsubscribe(id) }
    } else {
      continuation.finish()
    }
    return stream
  }
}

extension ToDoListModel: Observable {}

extension ToDoListModel {
  /// - Throws: `RPCError` if the list is too large.
  private func apply(_ event: WatchEvent) throws {
    let isChanged = try state.withLock { state in
      let isChanged = state.list.apply(event)
      // A list that is replaced is held next to its snapshot.
      guard state.list.size <= 2 * maximumSize else { throw RPCError.tooMuch("items", limit: 2 * maximumSize) }
      // Inside of the lock, so that no subscriber sees an older list after a newer one.
      if isChanged, let list = state.list.list { for subscriber in state.subscribers.values { subscriber.yield(list) } }
      return isChanged
    }
    // An observer looks at the list on a thread of its own once it is told, so it is told when the new one is there.
    if isChanged { registrar.withMutation(of: self, keyPath: \.list) {} }
  }

  private func end() {
    let subscribers = state.withLock { state in
      state.phase = .over
      defer { state.subscribers = [:] }
      return state.subscribers
    }
    for subscriber in subscribers.values { subscriber.finish() }
  }

  private func unsubscribe(_ id: Int) {
    _ = state.withLock { $0.subscribers.removeValue(forKey: id) }
  }
}
