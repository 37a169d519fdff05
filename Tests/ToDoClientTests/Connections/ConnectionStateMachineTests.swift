import Testing

@testable import ToDoClient

/// Every event in every state. Connections are numbers, and the tests choose the time.
@Suite struct ConnectionStateMachineTests {
  typealias Machine = ConnectionStateMachine<Int, ContinuousClock.Instant>

  private let now = ContinuousClock.now

  private func machine() -> Machine { Machine(backoff: Backoff()) }

  private func connectedMachine(_ connection: Int = 1) -> Machine {
    var machine = machine()
    _ = machine.request(at: now)
    _ = machine.connected(connection)
    return machine
  }

  @Test func request_whenIdle_connectsImmediately() {
    var machine = machine()
    #expect(machine.connection == nil)
    #expect(machine.request(at: now) == .connect(after: .zero))
  }

  @Test func request_whenConnecting_waits() {
    var machine = machine()
    _ = machine.request(at: now)
    #expect(machine.request(at: now) == .wait)
    #expect(machine.connection == nil)
  }

  @Test func connected_whenConnecting_servesAllRequests() {
    var machine = machine()
    _ = machine.request(at: now)
    #expect(machine.connected(1) == true)
    #expect(machine.connection == 1)
    #expect(machine.request(at: now) == .use(1))
  }

  @Test func failed_whenRepeated_delaysTheNextAttemptLonger() {
    var machine = machine()
    for delay in [50, 100, 200].map(Duration.milliseconds) {
      _ = machine.request(at: now)
      machine.failed(at: now, jitter: 1)
      #expect(machine.connection == nil)
      #expect(machine.request(at: now) == .connect(after: delay))
    }
  }

  @Test func request_whenDelayHasPassed_connectsImmediately() {
    var machine = machine()
    _ = machine.request(at: now)
    machine.failed(at: now, jitter: 1)
    #expect(machine.request(at: now + .milliseconds(50)) == .connect(after: .zero))
  }

  @Test func request_whenDelayHasNotPassed_connectsAfterTheRemainder() {
    var machine = machine()
    _ = machine.request(at: now)
    machine.failed(at: now, jitter: 1)
    #expect(machine.request(at: now + .milliseconds(20)) == .connect(after: .milliseconds(30)))
  }

  @Test func connected_whenAttemptsHadFailed_resetsTheDelay() {
    var machine = machine()
    for _ in 0..<5 {
      _ = machine.request(at: now)
      machine.failed(at: now, jitter: 1)
    }
    _ = machine.request(at: now)
    _ = machine.connected(1)
    machine.lost(1)
    #expect(machine.request(at: now) == .connect(after: .zero))
    machine.failed(at: now, jitter: 1)
    #expect(machine.request(at: now) == .connect(after: .milliseconds(50)))
  }

  @Test func lost_whenConnected_reconnects() {
    var machine = connectedMachine()
    machine.lost(1)
    #expect(machine.connection == nil)
    #expect(machine.request(at: now) == .connect(after: .zero))
  }

  @Test func lost_whenConnectionIsNotCurrent_isIgnored() {
    var machine = connectedMachine(2)
    machine.lost(1)
    #expect(machine.request(at: now) == .use(2))
  }

  @Test func lost_whenConnecting_isIgnored() {
    var machine = machine()
    _ = machine.request(at: now)
    machine.lost(1)
    #expect(machine.request(at: now) == .wait)
  }

  @Test(arguments: [0, 1, 2])
  func close_inAnyState_rejectsRequests(_ state: Int) {
    var machine = state == 2 ? connectedMachine() : machine()
    if state == 1 { _ = machine.request(at: now) }
    #expect(machine.close() == (state == 2 ? 1 : nil))
    #expect(machine.request(at: now) == .reject)
    #expect(machine.connection == nil)
    #expect(machine.close() == nil)
  }

  @Test func connected_whenClosed_isNotKept() {
    var machine = machine()
    _ = machine.request(at: now)
    _ = machine.close()
    #expect(machine.connected(1) == false)
    #expect(machine.request(at: now) == .reject)
  }

  @Test func failed_whenClosed_isIgnored() {
    var machine = machine()
    _ = machine.request(at: now)
    _ = machine.close()
    machine.failed(at: now, jitter: 0)
    #expect(machine.request(at: now) == .reject)
  }
}
