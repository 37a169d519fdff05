import Testing

@testable import ToDoClient

/// Every event in every state of the one connection of a client. Connections are numbers; time is what a test says.
@Suite struct ReconnectionTests {
  typealias Machine = Reconnection<Int, ContinuousClock.Instant>

  private let now = ContinuousClock.now

  private func machine() -> Machine { Machine(backoff: Backoff()) }

  private func connected(_ connection: Int = 1) -> Machine {
    var machine = machine()
    _ = machine.request(at: now)
    _ = machine.succeeded(connection)
    return machine
  }

  @Test func theFirstRequest_connectsAtOnce() {
    var machine = machine()
    #expect(machine.connection == nil)
    #expect(machine.request(at: now) == .connect(after: .zero))
  }

  @Test func aRequestDuringAnAttempt_joinsIt() {
    var machine = machine()
    _ = machine.request(at: now)
    #expect(machine.request(at: now) == .join)
    #expect(machine.connection == nil)
  }

  @Test func anAttemptThatSucceeds_servesAllRequests() {
    var machine = machine()
    _ = machine.request(at: now)
    #expect(machine.succeeded(1) == true)
    #expect(machine.connection == 1)
    #expect(machine.request(at: now) == .use(1))
  }

  @Test func anAttemptThatFails_delaysTheNext_moreEachTime() {
    var machine = machine()
    for delay in [50, 100, 200].map(Duration.milliseconds) {
      _ = machine.request(at: now)
      machine.failed(at: now, jitter: 1)
      #expect(machine.connection == nil)
      #expect(machine.request(at: now) == .connect(after: delay))
    }
  }

  @Test func aRequestAfterTheDelay_connectsAtOnce() {
    var machine = machine()
    _ = machine.request(at: now)
    machine.failed(at: now, jitter: 1)
    #expect(machine.request(at: now + .milliseconds(50)) == .connect(after: .zero))
  }

  @Test func aRequestWithinTheDelay_waitsForTheRest() {
    var machine = machine()
    _ = machine.request(at: now)
    machine.failed(at: now, jitter: 1)
    #expect(machine.request(at: now + .milliseconds(20)) == .connect(after: .milliseconds(30)))
  }

  @Test func success_forgetsTheFailures() {
    var machine = machine()
    for _ in 0..<5 {
      _ = machine.request(at: now)
      machine.failed(at: now, jitter: 1)
    }
    _ = machine.request(at: now)
    _ = machine.succeeded(1)
    machine.lost(1)
    #expect(machine.request(at: now) == .connect(after: .zero))
    machine.failed(at: now, jitter: 1)
    #expect(machine.request(at: now) == .connect(after: .milliseconds(50)))
  }

  @Test func aLostConnection_isMadeAnew() {
    var machine = connected()
    machine.lost(1)
    #expect(machine.connection == nil)
    #expect(machine.request(at: now) == .connect(after: .zero))
  }

  @Test func anotherConnectionThatIsLost_isOfNoConcern() {
    var machine = connected(2)
    machine.lost(1)
    #expect(machine.request(at: now) == .use(2))
  }

  @Test func aLossDuringAnAttempt_isOfNoConcern() {
    var machine = machine()
    _ = machine.request(at: now)
    machine.lost(1)
    #expect(machine.request(at: now) == .join)
  }

  @Test(arguments: [0, 1, 2])
  func aClosedClient_refuses_whateverStateItWasIn(_ state: Int) {
    var machine = state == 2 ? connected() : machine()
    if state == 1 { _ = machine.request(at: now) }
    #expect(machine.close() == (state == 2 ? 1 : nil))
    #expect(machine.request(at: now) == .refuse)
    #expect(machine.connection == nil)
    #expect(machine.close() == nil)
  }

  @Test func anAttemptThatSucceedsAfterClosing_isNotKept() {
    var machine = machine()
    _ = machine.request(at: now)
    _ = machine.close()
    #expect(machine.succeeded(1) == false)
    #expect(machine.request(at: now) == .refuse)
  }

  @Test func anAttemptThatFailsAfterClosing_changesNothing() {
    var machine = machine()
    _ = machine.request(at: now)
    _ = machine.close()
    machine.failed(at: now, jitter: 0)
    #expect(machine.request(at: now) == .refuse)
  }
}
