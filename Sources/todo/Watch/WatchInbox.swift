import Synchronization
import ToDoClient

/// What has happened since the screen was last drawn: of each kind the latest or whether, so that however much happens
/// meanwhile, it is little and is drawn once.
struct WatchNews: Sendable {
  var list: ToDoList?
  var connection: ConnectionState?
  /// What was typed; not more than `typedLimit`, since nobody types so much meanwhile.
  private(set) var typed: [UInt8] = []
  var wasSuspensionRequested = false
  /// Others may have drawn on the screen, or it has another size.
  var wasDisturbed = false
  var wasContinued = false
  var wasInterrupted = false
  /// How the watch ended.
  var end: Result<Void, any Error>?

  /// Whether nothing happened, but for the passing of time.
  var isEmpty: Bool {
    list == nil && connection == nil && typed.isEmpty && end == nil
      && !(wasSuspensionRequested || wasDisturbed || wasContinued || wasInterrupted)
  }

  private static let typedLimit = 1024

  mutating func take(_ event: TerminalEvent) {
    switch event {
    case .typed(let bytes): typed += bytes.prefix(max(0, Self.typedLimit - typed.count))
    case .resized: wasDisturbed = true
    case .suspensionRequested: wasSuspensionRequested = true
    case .continued: wasContinued = true
    case .interrupted, .outputClosed: wasInterrupted = true
    case .idle: break
    }
  }
}

/// Where news waits for whoever draws the screen.
final class WatchInbox: Sendable {
  /// Has an element when there is news.
  let wakeUps: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation
  private let news = Mutex(WatchNews())

  init() {
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func put(_ change: (inout WatchNews) -> Void) {
    news.withLock { change(&$0) }
    wakeUp.yield()
  }

  /// Empties the inbox.
  func take() -> WatchNews {
    news.withLock { news in
      defer { news = WatchNews() }
      return news
    }
  }
}
