import Testing
import ToDoModel

@testable import ToDoGeocoders

@Suite struct RequestPacingTests {
  private var pacing = RequestPacing(interval: .seconds(1), ownerLimit: 2)

  @Test mutating func theFirstCaller_goesAtOnce() throws {
    let first = try pacing.arrive(at: .zero).id
    #expect(pacing.turn(of: first, at: .zero) == .go)
  }

  @Test mutating func theNext_waitsForTheRestOfTheInterval() throws {
    let first = try pacing.arrive(at: .zero).id
    _ = pacing.turn(of: first, at: .zero)
    let second = try pacing.arrive(at: .milliseconds(300)).id
    #expect(pacing.turn(of: second, at: .milliseconds(300)) == .wait(.milliseconds(700)))
    #expect(pacing.turn(of: second, at: .milliseconds(999)) == .wait(.milliseconds(1)))
    #expect(pacing.turn(of: second, at: .seconds(1)) == .go)
  }

  @Test mutating func callers_goInTheOrderInWhichTheyCame() throws {
    try goAtZero()
    let first = try pacing.arrive(at: .zero).id
    let second = try pacing.arrive(at: .zero).id
    #expect(pacing.turn(of: second, at: .seconds(1)) == .queued)
    #expect(pacing.turn(of: first, at: .seconds(1)) == .go)
    #expect(pacing.front == second)
    #expect(pacing.turn(of: second, at: .seconds(1)) == .wait(.seconds(1)))
  }

  @Test mutating func whoLeaves_isPassedOver() throws {
    try goAtZero()
    let first = try pacing.arrive(at: .zero).id
    let second = try pacing.arrive(at: .zero).id
    pacing.leave(first)
    #expect(pacing.front == second)
    #expect(pacing.turn(of: second, at: .seconds(1)) == .go)
  }

  @Test mutating func beyondTheLimit_callersAreRefused() throws {
    try goAtZero()
    _ = try pacing.arrive(at: .zero).id
    _ = try pacing.arrive(at: .zero).id
    #expect(throws: GeocoderError.rateLimited(retryAfter: .milliseconds(600))) {
      try pacing.arrive(at: .milliseconds(400))
    }
  }

  @Test func withoutAQueue_aCallerWhoNeedNotWaitIsTakenIn() throws {
    var pacing = RequestPacing(interval: .seconds(1), ownerLimit: 0)
    let first = try pacing.arrive(at: .zero).id
    #expect(pacing.turn(of: first, at: .zero) == .go)
    #expect(throws: GeocoderError.self) { try pacing.arrive(at: .zero) }
    #expect(throws: Never.self) { try pacing.arrive(at: .seconds(1)) }
  }

  @Test mutating func duringAPause_everybodyIsRefused() throws {
    try goAtZero()
    let waiting = try pacing.arrive(at: .zero).id
    pacing.pause(for: .seconds(60), at: .zero)
    pacing.pause(for: .seconds(5), at: .zero)
    #expect(throws: GeocoderError.rateLimited(retryAfter: .seconds(50))) { try pacing.arrive(at: .seconds(10)) }
    #expect(pacing.turn(of: waiting, at: .seconds(10)) == .refused(.rateLimited(retryAfter: .seconds(50))))
    #expect(pacing.front == nil)
    #expect(throws: Never.self) { try pacing.arrive(at: .seconds(60)) }
  }

  private mutating func goAtZero() throws {
    let caller = try pacing.arrive(at: .zero).id
    #expect(pacing.turn(of: caller, at: .zero) == .go)
  }

  // MARK: Owners

  private let ann = OwnerID("ann")
  private let bob = OwnerID("bob")
  private let eve = OwnerID("eve")

  /// Lets all go who wait, a second after each other.
  private func order(_ pacing: RequestPacing) -> [Int] {
    var (pacing, order, now) = (pacing, [Int](), Duration.seconds(1))
    while let front = pacing.front {
      #expect(pacing.turn(of: front, at: now) == .go)
      order.append(front)
      now += .seconds(1)
    }
    return order
  }

  @Test func owners_takeTurns_andTheCallersOfEachGoInOrder() throws {
    var pacing = RequestPacing(interval: .seconds(1), ownerLimit: 4)
    let first = try (0..<4).map { _ in try pacing.arrive(for: ann, at: .zero).id }
    let second = try (0..<2).map { _ in try pacing.arrive(for: bob, at: .zero).id }
    let third = try pacing.arrive(for: eve, at: .zero).id
    #expect(order(pacing) == [first[0], second[0], third, first[1], second[1], first[2], first[3]])
  }

  @Test func owner_whoseQueueIsFull_isRefused_andOthersAreNot() throws {
    var pacing = RequestPacing(interval: .seconds(1), ownerLimit: 2)
    for _ in 0..<2 { _ = try pacing.arrive(for: eve, at: .zero) }
    #expect(throws: GeocoderError.rateLimited(retryAfter: .zero)) { try pacing.arrive(for: eve, at: .zero) }
    #expect(throws: Never.self) { try pacing.arrive(for: ann, at: .zero) }
    #expect(throws: Never.self) { try pacing.arrive(for: nil, at: .zero) }
  }

  @Test func caller_whenAllQueuesAreFull_displacesTheLastOfTheLongest() throws {
    var pacing = RequestPacing(interval: .seconds(1), ownerLimit: 8, totalLimit: 4)
    let eves = try (0..<3).map { _ in try pacing.arrive(for: eve, at: .zero).id }
    let bobs = try pacing.arrive(for: bob, at: .zero).id
    let arrival = try pacing.arrive(for: ann, at: .zero)
    #expect(arrival.displaced == eves[2])
    #expect(!pacing.isQueued(eves[2]))
    #expect(pacing.turn(of: eves[2], at: .zero) == .refused(.rateLimited(retryAfter: .zero)))
    #expect(throws: GeocoderError.self) { try pacing.arrive(for: eve, at: .zero) }
    #expect(order(pacing) == [eves[0], bobs, arrival.id, eves[1]])
  }

  @Test func caller_whenAllQueuesAreFullAndNoneIsLonger_isRefused() throws {
    var pacing = RequestPacing(interval: .seconds(1), ownerLimit: 8, totalLimit: 2)
    _ = try pacing.arrive(for: eve, at: .zero)
    _ = try pacing.arrive(for: bob, at: .zero)
    #expect(throws: GeocoderError.self) { try pacing.arrive(for: ann, at: .zero) }
  }

  @Test func owner_whoseLastCallerLeaves_losesItsTurn() throws {
    var pacing = RequestPacing(interval: .seconds(1), ownerLimit: 2)
    let leaving = try pacing.arrive(for: ann, at: .zero).id
    let staying = try pacing.arrive(for: bob, at: .zero).id
    pacing.leave(leaving)
    #expect(order(pacing) == [staying])
  }
}
