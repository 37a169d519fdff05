import ToDoModel

/// The order and the time of requests: one after the other, with an interval between them, and owners in turn.
///
/// Each owner has a queue, in order of arrival. The owners whose queue is not empty take turns, so that an owner waits at
/// most for one request of each other owner, however many those have queued. A queue is bounded, and so are all queues
/// together: when these are full, a caller of an owner with a short queue displaces the last caller of the longest one.
///
/// The machine's instants are durations since some beginning.
struct RateLimiterState: Sendable {
  /// What a caller has to do next.
  enum Turn: Equatable {
    /// Send the request now.
    case send
    /// It is its turn after so long, if nothing happens meanwhile.
    case wait(Duration)
    /// Others come first.
    case queued
    case rejected(GeocoderError)
  }

  typealias CallerID = Int

  /// A caller that was taken in, and the caller that had to leave for it.
  struct Entry: Equatable {
    let id: CallerID
    let displaced: CallerID?
  }

  private let interval: Duration
  private let ownerLimit: Int
  private let totalLimit: Int
  private var queues: [OwnerID?: [CallerID]] = [:]
  /// The owners that have a queue; the first is next.
  private var rotation: [OwnerID?] = []
  /// Callers that have left for others, and do not know it yet.
  private var displaced: Set<CallerID> = []
  private var lastID = 0
  /// No request before this.
  private var nextRequest = Duration.zero
  /// Until when the server wants to be left alone.
  private var pauseEnd = Duration.zero

  /// - Parameters:
  ///   - interval: from one request to the next.
  ///   - ownerLimit: the maximum number of callers that wait for one owner.
  ///   - totalLimit: the maximum number of callers that wait.
  init(interval: Duration, ownerLimit: Int, totalLimit: Int = .max) {
    self.interval = interval
    self.ownerLimit = ownerLimit
    self.totalLimit = totalLimit
  }

  /// The caller whose turn is next.
  var front: CallerID? { rotation.first.flatMap { queues[$0]?.first } }

  /// The number of callers that wait.
  var count: Int { queues.values.reduce(0) { $0 + $1.count } }

  /// Returns whether a caller waits for others.
  func isQueued(_ id: CallerID) -> Bool { id != front && !displaced.contains(id) }

  /// Takes a caller in.
  ///
  /// - Parameter owner: the owner of the queue to wait in; `nil` is an owner, too.
  /// - Throws: `GeocoderError.rateLimited` during a pause, and when too many wait.
  mutating func enqueue(for owner: OwnerID? = nil, at now: Duration) throws(GeocoderError) -> Entry {
    if now < pauseEnd { throw .rateLimited(retryAfter: pauseEnd - now) }
    let waiting = queues[owner]?.count ?? 0
    // Who need not wait is no burden on the queue.
    let isImmediate = rotation.isEmpty && nextRequest <= now
    var displacedCaller: CallerID?
    if !isImmediate {
      guard waiting < ownerLimit else { throw rateLimited(at: now) }
      if count >= totalLimit {
        guard let last = displaceLast(ofQueuesLongerThan: waiting + 1) else { throw rateLimited(at: now) }
        displacedCaller = last
      }
    }
    lastID += 1
    if waiting == 0 { rotation.append(owner) }
    queues[owner, default: []].append(lastID)
    return Entry(id: lastID, displaced: displacedCaller)
  }

  /// What a caller that has arrived does next. Whom it lets go and whom it refuses has left.
  mutating func turn(of id: CallerID, at now: Duration) -> Turn {
    if displaced.remove(id) != nil { return .rejected(rateLimited(at: now)) }
    guard id == front else { return .queued }
    if now < pauseEnd {
      removeFront()
      return .rejected(.rateLimited(retryAfter: pauseEnd - now))
    }
    guard nextRequest <= now else { return .wait(nextRequest - now) }
    removeFront()
    nextRequest = now + interval
    return .send
  }

  /// A caller does not want to wait any longer.
  mutating func remove(_ id: CallerID) {
    displaced.remove(id)
    guard let owner = rotation.first(where: { queues[$0]?.contains(id) == true }) else { return }
    queues[owner]?.removeAll { $0 == id }
    removeQueueIfEmpty(owner)
  }

  /// The server wants to be left alone; who waits is refused when it is their turn.
  mutating func pause(for duration: Duration, at now: Duration) {
    pauseEnd = max(pauseEnd, now + duration)
  }

  private func rateLimited(at now: Duration) -> GeocoderError {
    .rateLimited(retryAfter: max(.zero, nextRequest - now))
  }

  /// Takes the first caller out; the owner's next one waits until all others have had their turn.
  private mutating func removeFront() {
    guard let owner = rotation.first else { return }
    rotation.removeFirst()
    queues[owner]?.removeFirst()
    rotation.append(owner)
    removeQueueIfEmpty(owner)
  }

  private mutating func removeQueueIfEmpty(_ owner: OwnerID?) {
    guard queues[owner]?.isEmpty != false else { return }
    queues[owner] = nil
    rotation.removeAll { $0 == owner }
  }

  /// - Returns: `nil` when no queue is longer.
  private mutating func displaceLast(ofQueuesLongerThan length: Int) -> CallerID? {
    // Of equally long queues, that of the owner whose turn is last.
    guard let owner = rotation.max(by: { (queues[$0]?.count ?? 0) <= (queues[$1]?.count ?? 0) }),
      let queue = queues[owner], queue.count > length, let last = queue.last
    else { return nil }
    queues[owner]?.removeLast()
    displaced.insert(last)
    return last
  }
}
