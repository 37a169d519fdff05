import Testing

@testable import todo_load

@Suite struct ConnectionLossTests {
  /// Returns whether the server counts as lost after each of several checks.
  private func losses(_ checks: [(hasConnection: Bool, time: Nanoseconds)]) -> [Bool] {
    var loss = ConnectionLoss(limit: 100)
    return checks.map { loss.isServerLost(hasConnection: $0.hasConnection, at: $0.time) }
  }

  @Test func server_withoutConnectionForTheLimit_isLost() {
    #expect(losses([(false, 1000), (false, 1099), (false, 1100)]) == [false, false, true])
  }

  @Test func server_whenItIsReachedAgain_isLostOnlyAfterAnotherLimit() {
    let reached: [(Bool, Nanoseconds)] = [(false, 1000), (true, 1050), (true, 1500)]
    #expect(losses(reached + [(false, 1510), (false, 1609)]).allSatisfy { !$0 })
    #expect(losses(reached + [(false, 1510), (false, 1610)]).last == true)
  }
}
