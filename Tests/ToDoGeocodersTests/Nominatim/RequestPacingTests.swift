import Testing
import ToDoModel

@testable import ToDoGeocoders

@Suite struct RequestPacingTests {
  private var pacing = RequestPacing(interval: .seconds(1), limit: 2)

  @Test mutating func theFirstCaller_goesAtOnce() throws {
    let first = try pacing.arrive(at: .zero)
    #expect(pacing.turn(of: first, at: .zero) == .go)
  }

  @Test mutating func theNext_waitsForTheRestOfTheInterval() throws {
    let first = try pacing.arrive(at: .zero)
    _ = pacing.turn(of: first, at: .zero)
    let second = try pacing.arrive(at: .milliseconds(300))
    #expect(pacing.turn(of: second, at: .milliseconds(300)) == .wait(.milliseconds(700)))
    #expect(pacing.turn(of: second, at: .milliseconds(999)) == .wait(.milliseconds(1)))
    #expect(pacing.turn(of: second, at: .seconds(1)) == .go)
  }

  @Test mutating func callers_goInTheOrderInWhichTheyCame() throws {
    try goAtZero()
    let first = try pacing.arrive(at: .zero)
    let second = try pacing.arrive(at: .zero)
    #expect(pacing.turn(of: second, at: .seconds(1)) == .queued)
    #expect(pacing.turn(of: first, at: .seconds(1)) == .go)
    #expect(pacing.front == second)
    #expect(pacing.turn(of: second, at: .seconds(1)) == .wait(.seconds(1)))
  }

  @Test mutating func whoLeaves_isPassedOver() throws {
    try goAtZero()
    let first = try pacing.arrive(at: .zero)
    let second = try pacing.arrive(at: .zero)
    pacing.leave(first)
    #expect(pacing.front == second)
    #expect(pacing.turn(of: second, at: .seconds(1)) == .go)
  }

  @Test mutating func beyondTheLimit_callersAreRefused() throws {
    try goAtZero()
    _ = try pacing.arrive(at: .zero)
    _ = try pacing.arrive(at: .zero)
    #expect(throws: GeocoderError.rateLimited(retryAfter: .milliseconds(600))) {
      try pacing.arrive(at: .milliseconds(400))
    }
  }

  @Test func withoutAQueue_aCallerWhoNeedNotWaitIsTakenIn() throws {
    var pacing = RequestPacing(interval: .seconds(1), limit: 0)
    let first = try pacing.arrive(at: .zero)
    #expect(pacing.turn(of: first, at: .zero) == .go)
    #expect(throws: GeocoderError.self) { try pacing.arrive(at: .zero) }
    #expect(throws: Never.self) { try pacing.arrive(at: .seconds(1)) }
  }

  @Test mutating func duringAPause_everybodyIsRefused() throws {
    try goAtZero()
    let waiting = try pacing.arrive(at: .zero)
    pacing.pause(for: .seconds(60), at: .zero)
    pacing.pause(for: .seconds(5), at: .zero)
    #expect(throws: GeocoderError.rateLimited(retryAfter: .seconds(50))) { try pacing.arrive(at: .seconds(10)) }
    #expect(pacing.turn(of: waiting, at: .seconds(10)) == .refused(.rateLimited(retryAfter: .seconds(50))))
    #expect(pacing.front == nil)
    #expect(throws: Never.self) { try pacing.arrive(at: .seconds(60)) }
  }

  private mutating func goAtZero() throws {
    let caller = try pacing.arrive(at: .zero)
    #expect(pacing.turn(of: caller, at: .zero) == .go)
  }
}
