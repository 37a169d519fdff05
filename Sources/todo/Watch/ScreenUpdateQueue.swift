import Synchronization
import ToDoClient

/// The events since the screen was last drawn, coalesced so that their size is bounded and they need one redraw.
struct ScreenUpdate: Sendable {
  /// The latest list.
  var list: ToDoList?
  /// The latest state of the connection.
  var connection: ConnectionState?
  /// The typed bytes, at most `typedLimit`. Further bytes are dropped.
  private(set) var typed: [UInt8] = []
  var wasSuspensionRequested = false
  /// Whether the window has been resized, so that the screen must be painted in full.
  var needsRepaint = false
  var wasContinued = false
  var wasInterrupted = false
  /// The result of the watch, once it has ended.
  var end: Result<Void, any Error>?

  /// Whether nothing except the time has changed.
  var isEmpty: Bool {
    list == nil && connection == nil && typed.isEmpty && end == nil
      && !(wasSuspensionRequested || needsRepaint || wasContinued || wasInterrupted)
  }

  private static let typedLimit = 1024

  /// Adds an event.
  mutating func take(_ event: TerminalEvent) {
    switch event {
    case .typed(let bytes): typed += bytes.prefix(max(0, Self.typedLimit - typed.count))
    case .resized: needsRepaint = true
    case .suspensionRequested: wasSuspensionRequested = true
    case .continued: wasContinued = true
    case .interrupted, .outputClosed: wasInterrupted = true
    case .idle: break
    }
  }
}

/// A queue of updates for the screen, which holds one coalesced update.
final class ScreenUpdateQueue: Sendable {
  /// Yields an element when an update is available.
  let wakeUps: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation
  private let update = Mutex(ScreenUpdate())

  init() {
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Changes the pending update, and wakes the consumer.
  func put(_ change: (inout ScreenUpdate) -> Void) {
    update.withLock { change(&$0) }
    wakeUp.yield()
  }

  /// Removes and returns the pending update.
  func take() -> ScreenUpdate {
    update.withLock { update in
      defer { update = ScreenUpdate() }
      return update
    }
  }
}
