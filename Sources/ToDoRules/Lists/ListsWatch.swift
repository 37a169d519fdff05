import Synchronization
public import ToDoModel
import ToDoSupport

/// Watches the items of several lists at once, as `ListWatchService` describes.
///
/// Each list has a watch of its own. Until it has emitted its snapshot or the past changes, the lists after it wait, so that all
/// lists together hold no more than one page. A change that happens later is read when it happens, and waits until the consumer
/// has received the events before it.
package struct ListsWatch: Sendable {
  /// Receives the events, one at a time.
  package typealias Emit = @Sendable (ListWatchEvent) async throws -> Void

  /// The items to watch, in each list.
  private struct Selected {
    let state: ItemState
    let filter: ItemFilter
  }

  private let lists: LocalToDoListService
  private let items: @Sendable (ListID) async throws -> any ToDoService
  private let measure: @Sendable (ListID, Int) -> Void

  /// - Parameters:
  ///   - lists: the user's lists, which say when one is no longer available.
  ///   - items: returns the items of a list. Throws `ToDoError.listNotFound`.
  ///   - measure: receives the number of bytes that the watch of a list holds, after each event.
  package init(
    _ lists: LocalToDoListService, items: @escaping @Sendable (ListID) async throws -> any ToDoService,
    measure: @escaping @Sendable (ListID, Int) -> Void = { _, _ in }
  ) {
    (self.lists, self.items, self.measure) = (lists, items, measure)
  }

  /// Emits events until the watches of all lists have ended, or the task is canceled.
  ///
  /// - Throws: `ToDoError.invalidRequest`; the errors of `emit`, and those that concern no list in particular.
  package func run(
    _ watched: [WatchedList], state: ItemState, filter: ItemFilter, _ emit: @escaping Emit
  ) async throws {
    try WatchedList.check(watched)
    try filter.validate()
    let selected = Selected(state: state, filter: filter)
    let turns = EmissionTurns()
    try await withThrowingTaskGroup { group in
      for list in watched {
        let first = turns.ask()
        group.addTask { try await follow(list, selected, from: first, turns, emit) }
      }
      while try await group.next() != nil {}
    }
  }

  private func follow(
    _ watched: WatchedList, _ selected: Selected, from first: EmissionTurns.Turn, _ turns: EmissionTurns,
    _ emit: @escaping Emit
  ) async throws {
    let list = watched.list
    do {
      try await withThrowingTaskGroup { group in
        group.addTask { try await emitEvents(of: watched, selected, from: first, turns, emit) }
        if !list.isDefault { group.addTask { try await lists.waitUntilUnavailable(list) } }
        defer { group.cancelAll() }
        try await group.next()
      }
    } catch let error as ToDoError where error.endsOneList {
      measure(list, 0)
      let turn = turns.ask()
      try await turns.wait(for: turn)
      defer { turns.end() }
      try await emit(ListWatchEvent(list, .ended(error)))
    }
  }

  private func emitEvents(
    of watched: WatchedList, _ selected: Selected, from first: EmissionTurns.Turn, _ turns: EmissionTurns, _ emit: Emit
  ) async throws {
    try await turns.wait(for: first)
    var (hasTurn, hasCaughtUp) = (true, false)
    defer { if hasTurn { turns.end() } }
    let service = try await items(watched.list)
    let past = try await lastPastRevision(of: watched, selected, in: service)
    var events = service.watch(from: watched.start, state: selected.state, filter: selected.filter)
      .makeAsyncIterator()
    while let event = try await events.next() {
      measure(watched.list, events.bufferedBytes)
      if !hasTurn {
        try await turns.wait(for: turns.ask())
        hasTurn = true
      }
      // A change can arrive before the end of the caller's access that preceded it.
      if !watched.list.isDefault { try await lists.checkAvailability(of: watched.list) }
      try await emit(ListWatchEvent(watched.list, .event(event)))
      hasCaughtUp = hasCaughtUp || event.endsBeginning(through: past)
      if hasCaughtUp {
        turns.end()
        hasTurn = false
      }
    }
  }

  /// Returns the revision through which the changes are past ones, if the list's watch can emit progress before it.
  private func lastPastRevision(
    of watched: WatchedList, _ selected: Selected, in service: any ToDoService
  ) async throws -> Revision? {
    guard case .after = watched.start, !selected.filter.isEmpty else { return nil }
    var events = service.watch(from: .now, state: .all, filter: ItemFilter()).makeAsyncIterator()
    guard case .progress(let revision) = try await events.next() else { return nil }
    return revision
  }
}

extension WatchEvent {
  /// Whether a watch has emitted its snapshot or the past changes.
  ///
  /// - Parameter past: the revision of the last past change, if it is known.
  fileprivate func endsBeginning(through past: Revision?) -> Bool {
    switch self {
    case .snapshotEnd: true
    case .progress(let revision): past.map { revision >= $0 } ?? true
    default: false
    }
  }
}

/// A right that tasks get in the order in which they ask for it.
private final class EmissionTurns: Sendable {
  typealias Turn = CancellableWaiter<Void>

  private struct State {
    var isTaken = false
    /// The tasks that wait, the longest first.
    var waiting: [Turn] = []
  }

  private let state = Mutex(State())

  /// Asks for a turn. The caller must wait for it.
  func ask() -> Turn {
    let turn = Turn()
    let isFree = state.withLock { state in
      defer { state.isTaken = true }
      if state.isTaken { state.waiting.append(turn) }
      return !state.isTaken
    }
    if isFree { turn.resume() }
    return turn
  }

  /// Waits for a turn. If it does not throw, the caller must end the turn.
  func wait(for turn: Turn) async throws {
    do { try await turn.value() } catch {
      let wasWaiting = state.withLock { state in
        let index = state.waiting.firstIndex { $0 === turn }
        if let index { state.waiting.remove(at: index) }
        return index != nil
      }
      if !wasWaiting { end() }
      throw error
    }
  }

  /// Ends a turn.
  func end() {
    let next = state.withLock { state -> Turn? in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

extension LocalToDoListService: ListWatchService {
  public func watchItems(in lists: [WatchedList], state: ItemState, filter: ItemFilter) -> ListWatchEvents {
    willWatch?()
    return ListWatchEvents { [self] in
      let events = EmittedValues<ListWatchEvent> { [self] emit in
        try await ListsWatch(self, items: { try await lookUpItems(in: $0).value }).run(
          lists, state: state, filter: filter, emit)
      }
      return { try await events.next() }
    }
  }
}

/// The values that an operation emits, for a consumer that requests one at a time. Releasing it cancels the operation.
private final class EmittedValues<Value: Sendable> {
  private let handover = Handover<Value>()
  private let operation: @Sendable (@escaping @Sendable (Value) async throws -> Void) async throws -> Void
  private var task: Task<Void, Never>?

  /// - Parameter operation: starts with the first request of a value.
  init(_ operation: @escaping @Sendable (@escaping @Sendable (Value) async throws -> Void) async throws -> Void) {
    self.operation = operation
  }

  deinit { task?.cancel() }

  /// Returns the next value, or `nil` after the end of the operation.
  ///
  /// - Throws: the error of the operation; `CancellationError`.
  func next() async throws -> Value? {
    if task == nil {
      task = Task { [handover, operation] in
        do {
          try await operation { try await handover.give($0) }
          handover.end(.success(nil))
        } catch { handover.end(.failure(error)) }
      }
    }
    return try await handover.take()
  }
}

/// Hands values over from one task to another, which takes one before the next one is given.
private final class Handover<Value: Sendable>: Sendable {
  private struct State {
    var given: (value: Value, isTaken: CancellableWaiter<Void>)?
    var taker: CancellableWaiter<Value?>?
    var end: Result<Value?, any Error>?
  }

  private let state = Mutex(State())

  /// Waits until the value is taken.
  func give(_ value: Value) async throws {
    let isTaken = CancellableWaiter<Void>()
    let taker = state.withLock { state -> CancellableWaiter<Value?>? in
      defer { state.taker = nil }
      if state.taker == nil { state.given = (value, isTaken) }
      return state.taker
    }
    if let taker {
      taker.resume(returning: value)
      return
    }
    try await isTaken.value()
  }

  /// Ends the handover with an error, or with `nil`.
  func end(_ result: Result<Value?, any Error>) {
    let taker = state.withLock { state -> CancellableWaiter<Value?>? in
      defer { state.taker = nil }
      state.end = state.taker == nil ? result : .success(nil)
      return state.taker
    }
    taker?.resume(with: result)
  }

  /// Waits for the next value.
  func take() async throws -> Value? {
    let taker = CancellableWaiter<Value?>()
    let given = state.withLock { state -> CancellableWaiter<Void>? in
      if let given = state.given {
        taker.resume(returning: given.value)
        state.given = nil
        return given.isTaken
      }
      if let end = state.end {
        taker.resume(with: end)
        state.end = .success(nil)
      } else {
        state.taker = taker
      }
      return nil
    }
    given?.resume()
    return try await taker.value()
  }
}
