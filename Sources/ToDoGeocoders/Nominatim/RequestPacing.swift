import ToDoModel

/// Who may send a request, and when: one after the other, in the order in which they came, with time between them.
///
/// The machine's instants are durations since some beginning.
struct RequestPacing: Sendable {
  /// What a caller has to do next.
  enum Turn: Equatable {
    /// Send the request now.
    case go
    /// It is its turn after so long, if nothing happens meanwhile.
    case wait(Duration)
    /// Others come first.
    case queued
    case refused(GeocoderError)
  }

  typealias CallerID = Int

  private let interval: Duration
  private let limit: Int
  private var queue: [CallerID] = []
  private var lastID = 0
  /// No request before this.
  private var nextRequest = Duration.zero
  /// Until when the server wants to be left alone.
  private var pauseEnd = Duration.zero

  /// - Parameters:
  ///   - interval: from one request to the next.
  ///   - limit: how many callers may wait.
  init(interval: Duration, limit: Int) {
    self.interval = interval
    self.limit = limit
  }

  /// The caller whose turn is next.
  var front: CallerID? { queue.first }

  /// Takes a caller in.
  ///
  /// - Throws: `GeocoderError.rateLimited` during a pause, and when too many wait.
  mutating func arrive(at now: Duration) throws(GeocoderError) -> CallerID {
    if now < pauseEnd { throw .rateLimited(retryAfter: pauseEnd - now) }
    // Who need not wait is no burden on the queue.
    guard queue.count < limit || (queue.isEmpty && nextRequest <= now) else {
      throw .rateLimited(retryAfter: max(.zero, nextRequest - now))
    }
    lastID += 1
    queue.append(lastID)
    return lastID
  }

  /// What a caller that has arrived does next. Whom it lets go and whom it refuses has left.
  mutating func turn(of id: CallerID, at now: Duration) -> Turn {
    guard id == front else { return .queued }
    if now < pauseEnd {
      queue.removeFirst()
      return .refused(.rateLimited(retryAfter: pauseEnd - now))
    }
    guard nextRequest <= now else { return .wait(nextRequest - now) }
    queue.removeFirst()
    nextRequest = now + interval
    return .go
  }

  /// A caller does not want to wait any longer.
  mutating func leave(_ id: CallerID) {
    queue.removeAll { $0 == id }
  }

  /// The server wants to be left alone; who waits is refused when it is their turn.
  mutating func pause(for duration: Duration, at now: Duration) {
    pauseEnd = max(pauseEnd, now + duration)
  }
}
