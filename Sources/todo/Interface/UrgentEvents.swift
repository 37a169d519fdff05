import ToDoModel
import ToDoScreens

/// The events that the loop handles before those of the watch, coalesced so that their size is bounded.
struct UrgentEvents: Sendable {
  private(set) var typed: [UInt8] = []
  var wasResized = false
  var wasSuspensionRequested = false
  var wasContinued = false
  var wasInterrupted = false
  /// The latest state of the connection.
  var connection: ConnectionState?
  var results: [EffectResult] = []
  /// The expired timers, at most one expiry of each.
  private(set) var expiries: [TimerExpiry] = []

  /// Whether there is no event. Time may have passed.
  var isEmpty: Bool {
    typed.isEmpty && connection == nil && results.isEmpty && expiries.isEmpty
      && !(wasResized || wasSuspensionRequested || wasContinued || wasInterrupted)
  }

  /// Adds the lists after a change, in place of earlier ones.
  mutating func add(_ lists: ListSet) {
    results.removeAll { if case .listsRead(.success) = $0 { true } else { false } }
    results.append(.listsRead(.success(lists)))
  }

  /// Adds a timer's expiry, in place of an earlier one.
  mutating func add(_ expiry: TimerExpiry) {
    expiries.removeAll { $0.timer == expiry.timer }
    expiries.append(expiry)
  }

  /// Adds an event of the terminal.
  mutating func add(_ event: TerminalEvent) {
    switch event {
    case .typed(let bytes): typed += bytes
    case .resized: wasResized = true
    case .suspensionRequested: wasSuspensionRequested = true
    case .continued: wasContinued = true
    case .interrupted, .outputClosed: wasInterrupted = true
    case .idle: break
    }
  }
}
