#if Nominatim
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoGeocoders

@Suite struct RateLimiterStateTests {
  private var limiter = RateLimiterState(interval: .seconds(1), ownerLimit: 2)

  @Test mutating func turn_whenFirst_sendsImmediately() throws {
    let first = try limiter.enqueue(at: .zero).id
    #expect(limiter.turn(of: first, at: .zero) == .send)
  }

  @Test mutating func turn_whenWithinInterval_waitsForRest() throws {
    let first = try limiter.enqueue(at: .zero).id
    _ = limiter.turn(of: first, at: .zero)
    let second = try limiter.enqueue(at: .milliseconds(300)).id
    #expect(limiter.turn(of: second, at: .milliseconds(300)) == .wait(.milliseconds(700)))
    #expect(limiter.turn(of: second, at: .milliseconds(999)) == .wait(.milliseconds(1)))
    #expect(limiter.turn(of: second, at: .seconds(1)) == .send)
  }

  @Test mutating func callers_areServedInOrder() throws {
    try sendAtZero()
    let first = try limiter.enqueue(at: .zero).id
    let second = try limiter.enqueue(at: .zero).id
    #expect(limiter.turn(of: second, at: .seconds(1)) == .queued)
    #expect(limiter.turn(of: first, at: .seconds(1)) == .send)
    #expect(limiter.front == second)
    #expect(limiter.turn(of: second, at: .seconds(1)) == .wait(.seconds(1)))
  }

  @Test mutating func remove_whenAtFront_advancesQueue() throws {
    try sendAtZero()
    let first = try limiter.enqueue(at: .zero).id
    let second = try limiter.enqueue(at: .zero).id
    limiter.remove(first)
    #expect(limiter.front == second)
    #expect(limiter.turn(of: second, at: .seconds(1)) == .send)
  }

  @Test mutating func enqueue_whenOwnerLimitIsReached_throws() throws {
    try sendAtZero()
    _ = try limiter.enqueue(at: .zero).id
    _ = try limiter.enqueue(at: .zero).id
    #expect(throws: GeocoderError.rateLimited(retryAfter: .milliseconds(600))) {
      try limiter.enqueue(at: .milliseconds(400))
    }
  }

  @Test func enqueue_whenLimitIsZero_acceptsCallerThatNeedNotWait() throws {
    var limiter = RateLimiterState(interval: .seconds(1), ownerLimit: 0)
    let first = try limiter.enqueue(at: .zero).id
    #expect(limiter.turn(of: first, at: .zero) == .send)
    #expect(throws: GeocoderError.self) { try limiter.enqueue(at: .zero) }
    #expect(throws: Never.self) { try limiter.enqueue(at: .seconds(1)) }
  }

  @Test mutating func pause_rejectsNewAndWaitingCallers() throws {
    try sendAtZero()
    let waiting = try limiter.enqueue(at: .zero).id
    limiter.pause(for: .seconds(60), at: .zero)
    limiter.pause(for: .seconds(5), at: .zero)
    #expect(throws: GeocoderError.rateLimited(retryAfter: .seconds(50))) { try limiter.enqueue(at: .seconds(10)) }
    #expect(limiter.turn(of: waiting, at: .seconds(10)) == .rejected(.rateLimited(retryAfter: .seconds(50))))
    #expect(limiter.front == nil)
    #expect(throws: Never.self) { try limiter.enqueue(at: .seconds(60)) }
  }

  private mutating func sendAtZero() throws {
    let caller = try limiter.enqueue(at: .zero).id
    #expect(limiter.turn(of: caller, at: .zero) == .send)
  }

  // MARK: Owners

  private let ann = OwnerID("ann")
  private let bob = OwnerID("bob")
  private let eve = OwnerID("eve")

  /// Returns the waiting callers in the order in which they send, one second apart.
  private func order(_ limiter: RateLimiterState) -> [Int] {
    var (limiter, order, now) = (limiter, [Int](), Duration.seconds(1))
    while let front = limiter.front {
      #expect(limiter.turn(of: front, at: now) == .send)
      order.append(front)
      now += .seconds(1)
    }
    return order
  }

  @Test func owners_takeTurnsWithCallersInOrder() throws {
    var limiter = RateLimiterState(interval: .seconds(1), ownerLimit: 4)
    let first = try (0..<4).map { _ in try limiter.enqueue(for: ann, at: .zero).id }
    let second = try (0..<2).map { _ in try limiter.enqueue(for: bob, at: .zero).id }
    let third = try limiter.enqueue(for: eve, at: .zero).id
    #expect(order(limiter) == [first[0], second[0], third, first[1], second[1], first[2], first[3]])
  }

  @Test func enqueue_whenQueueOfOneOwnerIsFull_acceptsOtherOwners() throws {
    var limiter = RateLimiterState(interval: .seconds(1), ownerLimit: 2)
    for _ in 0..<2 { _ = try limiter.enqueue(for: eve, at: .zero) }
    #expect(throws: GeocoderError.rateLimited(retryAfter: .zero)) { try limiter.enqueue(for: eve, at: .zero) }
    #expect(throws: Never.self) { try limiter.enqueue(for: ann, at: .zero) }
    #expect(throws: Never.self) { try limiter.enqueue(for: nil, at: .zero) }
  }

  @Test func enqueue_whenTotalLimitIsReached_displacesLastOfLongestQueue() throws {
    var limiter = RateLimiterState(interval: .seconds(1), ownerLimit: 8, totalLimit: 4)
    let eves = try (0..<3).map { _ in try limiter.enqueue(for: eve, at: .zero).id }
    let bobs = try limiter.enqueue(for: bob, at: .zero).id
    let entry = try limiter.enqueue(for: ann, at: .zero)
    #expect(entry.displaced == eves[2])
    #expect(!limiter.isQueued(eves[2]))
    #expect(limiter.turn(of: eves[2], at: .zero) == .rejected(.rateLimited(retryAfter: .zero)))
    #expect(throws: GeocoderError.self) { try limiter.enqueue(for: eve, at: .zero) }
    #expect(order(limiter) == [eves[0], bobs, entry.id, eves[1]])
  }

  @Test func enqueue_whenTotalLimitIsReachedAndNoQueueIsLonger_throws() throws {
    var limiter = RateLimiterState(interval: .seconds(1), ownerLimit: 8, totalLimit: 2)
    _ = try limiter.enqueue(for: eve, at: .zero)
    _ = try limiter.enqueue(for: bob, at: .zero)
    #expect(throws: GeocoderError.self) { try limiter.enqueue(for: ann, at: .zero) }
  }

  @Test func remove_whenLastOfOwner_endsTurnOfOwner() throws {
    var limiter = RateLimiterState(interval: .seconds(1), ownerLimit: 2)
    let leaving = try limiter.enqueue(for: ann, at: .zero).id
    let staying = try limiter.enqueue(for: bob, at: .zero).id
    limiter.remove(leaving)
    #expect(order(limiter) == [staying])
  }
}
#endif
