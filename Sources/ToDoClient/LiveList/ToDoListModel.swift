public import Observation
import Synchronization
public import ToDoModel
import ToDoRPC

/// A list that stays current, for a user interface.
///
///     let model = ToDoListModel(service: client)
///     async let end: Void = model.run()
///     for await list in model.updates { show(list.toDo, list.done) }
///
/// It suits applications that show one list in its usual order, and draws nothing itself. Each change publishes the whole list.
/// An application with orders or filters of its own over many
/// thousands of items should apply the events of `ToDoService.watch(from:state:)` itself, as `todo ui` does: it then learns
/// which items a change concerns.
///
/// `updates` is for code that awaits changes. `list` can be observed with `withObservationTracking`, and by frameworks that
/// use it, such as SwiftUI. The model can be used from any task.
public final class ToDoListModel: Sendable {
  private struct State {
    var list: ToDoListState
    var phase = Phase.waiting
    var subscribers: [Int: AsyncStream<ToDoList>.Continuation] = [:]
    var nextSubscriber = 0
  }

  private enum Phase {
    case waiting, running, ended
  }

  private let service: any ToDoService
  private let shown: ItemState
  private let maximumSize: Int
  private let state: Mutex<State>
  private let registrar = ObservationRegistrar()

  /// Creates a model that does not watch yet.
  ///
  /// - Parameters:
  ///   - service: The service of the list.
  ///   - shown: The states of the items that the list contains.
  public convenience init(service: any ToDoService, showing shown: ItemState = .all) {
    self.init(service: service, showing: shown, maximumSize: ReceiveBudget.defaultLimit)
  }

  /// Creates a model with another limit.
  ///
  /// - Parameter maximumSize: The maximum size of the list in bytes, as in `ReceiveBudget`.
  package init(service: any ToDoService, showing shown: ItemState = .all, maximumSize: Int) {
    self.service = service
    self.shown = shown
    self.maximumSize = maximumSize
    state = Mutex(State(list: ToDoListState(showing: shown)))
  }

  /// The current list; `nil` until the first snapshot is complete.
  public var list: ToDoList? {
    registrar.access(self, keyPath: \.list)
    return state.withLock(\.list.list)
  }

  /// Keeps the list current until the task is canceled.
  ///
  /// The watch resumes if it was too slow; a `ToDoClient`'s watch, also if its connection was lost. The model can run again
  /// after this method has returned or thrown, but not twice at the same time.
  ///
  /// - Throws: The errors of the service's `watch`; `RPCError` if the list exceeds the maximum size; `CancellationError`.
  public func run() async throws {
    state.withLock { state in
      precondition(state.phase != .running, "the model is already running")
      state.phase = .running
      state.list.apply(.restarted)
    }
    defer { end() }
    try await service.watchContinuously(from: .snapshot, state: shown) { try apply($0) }
    try Task.checkCancellation()
  }

  /// The current list, if it is loaded, followed by the list after every change until the model ends.
  ///
  /// Each access creates a subscription, which holds only the latest list. A slow subscriber skips intermediate lists and
  /// delays no other. After the model has ended, the sequence contains its last list.
  public var updates: AsyncStream<ToDoList> {
    let (stream, continuation) = AsyncStream.makeStream(of: ToDoList.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state -> Int? in
      if let list = state.list.list { continuation.yield(list) }
      guard state.phase != .ended else { return nil }
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
  /// Applies an event and publishes the new list.
  ///
  /// - Throws: `RPCError` if the list is too large.
  private func apply(_ event: WatchEvent) throws {
    let isChanged = try state.withLock { state in
      let isChanged = state.list.apply(event)
      // While a snapshot arrives, the model holds both the old list and the new one.
      guard state.list.size <= 2 * maximumSize else {
        throw RPCError.receiveLimitExceeded("items", limit: 2 * maximumSize)
      }
      // Inside the lock, so that no subscriber receives an older list after a newer one.
      if isChanged, let list = state.list.list { for subscriber in state.subscribers.values { subscriber.yield(list) } }
      return isChanged
    }
    // An observer may read the list on another thread immediately, so the mutation is reported after the change.
    if isChanged { registrar.withMutation(of: self, keyPath: \.list) {} }
  }

  private func end() {
    let subscribers = state.withLock { state in
      state.phase = .ended
      defer { state.subscribers = [:] }
      return state.subscribers
    }
    for subscriber in subscribers.values { subscriber.finish() }
  }

  private func unsubscribe(_ id: Int) {
    _ = state.withLock { $0.subscribers.removeValue(forKey: id) }
  }
}
