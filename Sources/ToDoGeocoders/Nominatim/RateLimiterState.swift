#if Nominatim
import ToDoModel
import ToDoRules

/// The state machine of the rate limiter: requests start at a minimum interval, and owners take turns.
///
/// Each owner has a first-in, first-out queue. Owners with waiting callers take turns, so an owner waits for at most one
/// request from each other owner, however long their queues are. Each queue is bounded, and so is the total. If
/// the total is reached, a caller whose owner has a shorter queue displaces the last caller of the longest queue.
///
/// Instants are durations since an arbitrary origin.
struct RateLimiterState: Sendable {
  /// The next step of a caller.
  enum Turn: Equatable {
    /// The caller sends its request now. It has left the queue.
    case send
    /// The caller is at the front and checks again after this duration.
    case wait(Duration)
    /// The caller waits for callers before it.
    case queued
    /// The caller's request is rejected. It has left the queue.
    case rejected(GeocoderError)
  }

  typealias CallerID = Int

  /// A caller that was enqueued, and the caller that it displaced.
  struct Entry: Equatable {
    let id: CallerID
    let displaced: CallerID?
  }

  private let interval: Duration
  private let ownerLimit: Int
  private let totalLimit: Int
  private var queues: [OwnerID?: [CallerID]] = [:]
  /// The owners with waiting callers, in the order of their turns.
  private var rotation: [OwnerID?] = []
  /// Callers that were displaced and have not received their rejection yet.
  private var displaced: Set<CallerID> = []
  private var lastID = 0
  /// The earliest start of the next request.
  private var nextRequest = Duration.zero
  /// The end of the pause that the server requested.
  private var pauseEnd = Duration.zero

  /// Creates an idle rate limiter.
  ///
  /// - Parameters:
  ///   - interval: the minimum interval between two requests.
  ///   - ownerLimit: the maximum number of one owner's waiting callers.
  ///   - totalLimit: the maximum number of all owners' waiting callers.
  init(interval: Duration, ownerLimit: Int, totalLimit: Int = .max) {
    self.interval = interval
    self.ownerLimit = ownerLimit
    self.totalLimit = totalLimit
  }

  /// The caller that is next to send its request.
  var front: CallerID? { rotation.first.flatMap { queues[$0]?.first } }

  /// The number of waiting callers.
  var count: Int { queues.values.reduce(0) { $0 + $1.count } }

  /// Returns whether a caller waits for callers before it.
  func isQueued(_ id: CallerID) -> Bool { id != front && !displaced.contains(id) }

  /// Adds a caller to the queue of an owner.
  ///
  /// - Parameter owner: the owner; `nil` has its own queue.
  /// - Throws: `GeocoderError.rateLimited` during a pause, or if the queue is full.
  mutating func enqueue(for owner: OwnerID? = nil, at now: Duration) throws(GeocoderError) -> Entry {
    if now < pauseEnd { throw .rateLimited(retryAfter: pauseEnd - now) }
    let waiting = queues[owner]?.count ?? 0
    // A caller that can send immediately does not count against the limits.
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

  /// Returns the next step of an enqueued caller. On `.send` and `.rejected` the caller is removed from the queue.
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

  /// Removes a caller that stopped waiting.
  mutating func remove(_ id: CallerID) {
    displaced.remove(id)
    guard let owner = rotation.first(where: { queues[$0]?.contains(id) == true }) else { return }
    queues[owner]?.removeAll { $0 == id }
    removeQueueIfEmpty(owner)
  }

  /// Rejects new requests for a duration. Waiting callers are rejected when their turn comes.
  mutating func pause(for duration: Duration, at now: Duration) {
    pauseEnd = max(pauseEnd, now + duration)
  }

  private func rateLimited(at now: Duration) -> GeocoderError {
    .rateLimited(retryAfter: max(.zero, nextRequest - now))
  }

  /// Removes the caller at the front. The other owners take their turns before the same owner's next caller.
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

  /// Removes the last caller of the longest queue.
  ///
  /// - Returns: the displaced caller, or `nil` if no queue is longer than `length`.
  private mutating func displaceLast(ofQueuesLongerThan length: Int) -> CallerID? {
    // Among equally long queues, that of the owner whose turn is last.
    guard let owner = rotation.max(by: { (queues[$0]?.count ?? 0) <= (queues[$1]?.count ?? 0) }),
      let queue = queues[owner], queue.count > length, let last = queue.last
    else { return nil }
    queues[owner]?.removeLast()
    displaced.insert(last)
    return last
  }
}
#endif
