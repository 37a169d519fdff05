import Dispatch
import Synchronization
import ToDoModel
import ToDoSupport

/// A bounded event queue between the interface's tasks and its loop.
///
/// | events | limit | at the limit |
/// | --- | --- | --- |
/// | typed bytes | 1 KiB | the thread of the terminal waits, and the terminal holds further input |
/// | watch events | 64 | the task of the watch is suspended |
/// | results and timers | one for each running effect and timer | cannot be exceeded |
/// | all others | one of each kind | events of a kind are coalesced |
final class EventQueue: Sendable {
  /// Yields an element when an event is available. One element can stand for several events.
  let wakeUps: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation
  private let state = Mutex(State())
  /// Wakes the thread of the terminal.
  private let typedRoom = DispatchSemaphore(value: 0)

  fileprivate struct State {
    var urgent = UrgentEvents()
    var watchEvents: [WatchEvent] = []
    /// The index of the first pending event in `watchEvents`.
    var firstWatchEvent = 0
    var watchEnd: Result<Void, any Error>?
    /// The number of the watch whose events are taken.
    var watch = 0
    /// The producers of watch events that wait for room.
    var waiters: [CancellableWaiter<Void>] = []
    var isTerminalWaiting = false
    var isClosed = false

    var watchEventCount: Int { watchEvents.count - firstWatchEvent }
    var isFull: Bool { watchEventCount >= EventQueue.watchEventLimit }
  }

  static let typedLimit = 1024
  static let watchEventLimit = 64

  init() {
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Changes the pending events, and wakes the loop.
  func put(_ change: (inout UrgentEvents) -> Void) {
    state.withLock { change(&$0.urgent) }
    wakeUp.yield()
  }

  /// Adds an event of the terminal. Blocks the thread while too many typed bytes are pending.
  func put(_ event: TerminalEvent) {
    while !add(event) { typedRoom.wait() }
    wakeUp.yield()
  }

  /// Adds an event of the terminal, unless there is no room for it.
  private func add(_ event: TerminalEvent) -> Bool {
    state.withLock { state in
      if case .typed(let bytes) = event, !state.isClosed, !state.urgent.typed.isEmpty,
        state.urgent.typed.count + bytes.count > Self.typedLimit
      {
        state.isTerminalWaiting = true
        return false
      }
      state.urgent.add(event)
      return true
    }
  }

  /// Begins another watch, and discards the events of earlier ones, even those that are put later.
  ///
  /// - Returns: the watch's number.
  func beginWatch() -> Int {
    let (watch, waiters) = state.withLock { state in
      (state.watchEvents, state.firstWatchEvent, state.watchEnd) = ([], 0, nil)
      state.watch += 1
      defer { state.waiters = [] }
      return (state.watch, state.waiters)
    }
    for waiter in waiters { waiter.resume() }
    return watch
  }

  /// Adds an event of a watch, unless another one has begun. Suspends while too many are pending.
  ///
  /// - Throws: `CancellationError`; the event is then not added.
  func put(_ event: WatchEvent, of watch: Int = 0) async throws {
    while let room = add(event, of: watch) {
      defer { state.withLock { $0.waiters.removeAll { $0 === room } } }
      try await room.value()
    }
    wakeUp.yield()
  }

  /// Adds an event of the watch, or returns the wait for room.
  private func add(_ event: WatchEvent, of watch: Int) -> CancellableWaiter<Void>? {
    state.withLock { state in
      guard watch == state.watch else { return nil }
      guard state.isFull else {
        state.watchEvents.append(event)
        return nil
      }
      let waiter = CancellableWaiter<Void>()
      state.waiters.append(waiter)
      return waiter
    }
  }

  /// Adds the end of a watch, unless another one has begun. It follows the pending watch events.
  func end(_ result: Result<Void, any Error>, of watch: Int = 0) {
    state.withLock { if watch == $0.watch { $0.watchEnd = result } }
    wakeUp.yield()
  }

  /// Releases the thread of the terminal. Further typed bytes are not limited.
  func close() {
    let isWaiting = state.withLock { state in
      state.isClosed = true
      return state.endTerminalWait()
    }
    if isWaiting { typedRoom.signal() }
  }
}

// MARK: - Taking

extension EventQueue {
  /// Removes and returns all events except those of the watch.
  func takeUrgent() -> UrgentEvents {
    let (events, isWaiting) = state.withLock { state in
      defer { state.urgent = UrgentEvents() }
      return (state.urgent, state.endTerminalWait())
    }
    if isWaiting { typedRoom.signal() }
    return events
  }

  /// Whether events other than those of the watch are pending.
  var hasUrgentEvents: Bool { state.withLock { !$0.urgent.isEmpty } }

  /// Whether events of any kind are pending.
  var isEmpty: Bool { state.withLock { $0.urgent.isEmpty && $0.watchEventCount == 0 && $0.watchEnd == nil } }

  /// Removes and returns the next event of the watch, or returns `nil` if none is pending.
  func takeWatchEvent() -> WatchEvent? {
    let (event, waiters) = state.withLock { $0.takeWatchEvent() }
    for waiter in waiters { waiter.resume() }
    return event
  }

  /// Removes and returns the end of the watch. Returns `nil` while events precede it.
  func takeWatchEnd() -> Result<Void, any Error>? {
    state.withLock { state in
      guard state.watchEventCount == 0 else { return nil }
      defer { state.watchEnd = nil }
      return state.watchEnd
    }
  }
}

extension EventQueue.State {
  fileprivate mutating func takeWatchEvent() -> (WatchEvent?, [CancellableWaiter<Void>]) {
    guard watchEventCount > 0 else { return (nil, []) }
    let event = watchEvents[firstWatchEvent]
    firstWatchEvent += 1
    if firstWatchEvent == watchEvents.count || firstWatchEvent == EventQueue.watchEventLimit {
      watchEvents.removeFirst(firstWatchEvent)
      firstWatchEvent = 0
    }
    defer { waiters = [] }
    return (event, waiters)
  }

  /// - Returns: whether the thread of the terminal waits.
  fileprivate mutating func endTerminalWait() -> Bool {
    defer { isTerminalWaiting = false }
    return isTerminalWaiting
  }
}
