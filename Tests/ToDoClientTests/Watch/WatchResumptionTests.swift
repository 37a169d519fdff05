import Testing
import ToDoModel
import ToDoProtocol

@testable import ToDoClient

/// Every event and every failure at every point of a watch.
@Suite struct WatchResumptionTests {
  private static let lost = RPCError.unavailable("the connection was closed", isUnsent: false)
  private static let connection = WatchResumption.Policy.connection(retryLimit: 2, backoff: Backoff())

  private func established(
    after revision: Int64 = 3, policy: WatchResumption.Policy = connection
  ) -> WatchResumption {
    var machine = WatchResumption(from: .now, policy: policy)
    machine.receive(.progress(Revision(revision)))
    return machine
  }

  private func insideSnapshot(_ policy: WatchResumption.Policy = connection) -> WatchResumption {
    var machine = WatchResumption(from: .snapshot, policy: policy)
    machine.receive(.snapshotPage([sample(1, at: 1)]))
    return machine
  }

  private static func changes(_ revision: Int64) -> WatchEvent {
    .put(.edited, sample(1, at: revision))
  }

  // MARK: Positions

  @Test(
    arguments: [
      (.now, [], .now), (.snapshot, [], .snapshot), (.after(Revision(2)), [], .after(Revision(2))),
      (.now, [.progress(Revision(3))], .after(Revision(3))),
      (.now, [.progress(Revision(3)), changes(4)], .after(Revision(4))),
      (.snapshot, [.snapshotPage([])], .snapshot),
      (.snapshot, [.snapshotPage([]), .snapshotEnd(Revision(9))], .after(Revision(9))),
      (.after(Revision(2)), [changes(4), .progress(Revision(7))], .after(Revision(7))),
      (.now, [.progress(Revision(3)), .restarted], .snapshot),
      (.now, [.progress(Revision(3)), .restarted, .snapshotEnd(Revision(5))], .after(Revision(5))),
    ] as [(WatchStart, [WatchEvent], WatchStart)])
  func start_afterEvents_isTheLastCompleteRevision(_ start: WatchStart, _ events: [WatchEvent], _ expected: WatchStart)
  {
    var machine = WatchResumption(from: start, policy: .service)
    for event in events { machine.receive(event) }
    #expect(machine.start == expected)
  }

  @Test func start_afterEvents_namesTheIncarnationOfTheLastEventThatHasOne() {
    let list = ListIncarnation.random()
    func incarnation(_ machine: WatchResumption) -> ListIncarnation? {
      if case .after(let revision) = machine.start { revision.incarnation } else { nil }
    }
    for event in [WatchEvent.progress(Revision(3, of: list)), .snapshotEnd(Revision(3, of: list))] {
      var machine = WatchResumption(from: .snapshot, policy: .service)
      machine.receive(event)
      #expect(incarnation(machine) == list)
      machine.receive(Self.changes(4))
      #expect(machine.start == .after(Revision(4)))
      #expect(incarnation(machine) == list)
      _ = machine.fail(ToDoError.watchTooSlow(resume: Revision(6)), jitter: 0)
      #expect(machine.start == .after(Revision(6)))
      #expect(incarnation(machine) == list)
    }
    var machine = WatchResumption(from: .after(Revision(3, of: list)), policy: .service)
    machine.receive(Self.changes(4))
    #expect(incarnation(machine) == list)
  }

  // MARK: Failures of connections

  @Test(arguments: [
    lost, .shuttingDown, RPCError(ToDoError.watchTooSlow(resume: Revision(5))),
    RPCError(ToDoError.storeUnavailable(detail: "")),
  ])
  func fail_whenConnectionIsInterrupted_resumesAfterTheLastEvent(_ error: RPCError) {
    var machine = established(after: 3)
    #expect(machine.fail(error, jitter: 1) == .resume(after: .milliseconds(50)))
    #expect(machine.start == .after(Revision(3)))
  }

  @Test func fail_whenRepeated_delaysLonger_untilTheNextInput() {
    var machine = established()
    for milliseconds in [50, 100, 200, 400] {
      #expect(machine.fail(Self.lost, jitter: 1) == .resume(after: .milliseconds(milliseconds)))
    }
    machine.receivePartialInput()
    #expect(machine.fail(Self.lost, jitter: 1) == .resume(after: .milliseconds(50)))
  }

  @Test func fail_beforeTheFirstInput_isRetriedUpToTheLimit() {
    var machine = WatchResumption(from: .snapshot, policy: Self.connection)
    #expect(machine.fail(Self.lost, jitter: 1) == .resume(after: .milliseconds(50)))
    #expect(machine.fail(Self.lost, jitter: 1) == .resume(after: .milliseconds(100)))
    #expect(machine.fail(Self.lost, jitter: 1) == .fail)
  }

  @Test func fail_afterAPartialInput_isRetriedWithoutLimit() {
    var machine = WatchResumption(from: .now, policy: Self.connection)
    machine.receivePartialInput()
    for _ in 0..<100 { #expect(machine.fail(Self.lost, jitter: 1) != .fail) }
    #expect(machine.start == .now)
  }

  @Test(arguments: [
    ToDoError.revisionCompacted(oldest: Revision(7)), .revisionInFuture(current: Revision(1)), .listReplaced,
  ])
  func fail_whenRevisionIsGone_restartsOnceEstablished(_ error: ToDoError) {
    var machine = established()
    #expect(machine.fail(RPCError(error), jitter: 1) == .restart(after: .milliseconds(50)))
    #expect(machine.start == .snapshot)
    var new = WatchResumption(from: .after(Revision(1)), policy: Self.connection)
    #expect(new.fail(RPCError(error), jitter: 1) == .fail)
  }

  @Test func fail_whenInsideSnapshot_restarts() {
    var machine = insideSnapshot()
    #expect(machine.fail(Self.lost, jitter: 1) == .restart(after: .milliseconds(50)))
    #expect(machine.start == .snapshot)
    // The consumer has received nothing of the next snapshot.
    #expect(machine.fail(Self.lost, jitter: 1) == .resume(after: .milliseconds(100)))
  }

  @Test(arguments: [
    RPCError(ToDoError.invalidRequest([])), .unimplemented(service: "s", method: "m"), .internal,
    RPCError(.permissionDenied, reason: "", domain: "", ""),
  ])
  func fail_whenErrorIsPermanent_fails(_ error: RPCError) {
    var machine = established()
    #expect(machine.fail(error, jitter: 1) == .fail)
    #expect(machine.fail(CancellationError(), jitter: 1) == .fail)
  }

  // MARK: Failures of services

  @Test func fail_whenServiceWatchIsTooSlow_resumesAtTheRevisionOfTheError() {
    var machine = established(after: 3, policy: .service)
    #expect(machine.fail(ToDoError.watchTooSlow(resume: Revision(5)), jitter: 1) == .resume(after: .zero))
    #expect(machine.start == .after(Revision(5)))
    // The second attempt failed before its first event.
    #expect(machine.fail(ToDoError.watchTooSlow(resume: Revision(5)), jitter: 1) == .fail)
  }

  @Test(arguments: [
    ToDoError.watchTooSlow(resume: Revision(5)), .revisionCompacted(oldest: Revision(5)), .listReplaced,
  ])
  func fail_whenServiceWatchFailsInsideSnapshot_restarts(_ error: ToDoError) {
    var machine = insideSnapshot(.service)
    #expect(machine.fail(error, jitter: 1) == .restart(after: .zero))
    #expect(machine.start == .snapshot)
    #expect(machine.fail(error, jitter: 1) == .fail)
  }

  @Test(arguments: [ToDoError.revisionCompacted(oldest: Revision(7)), .listReplaced])
  func fail_whenRevisionIsGoneFromTheService_restartsOnce(_ error: ToDoError) {
    var machine = established(policy: .service)
    #expect(machine.fail(ToDoError.watchTooSlow(resume: Revision(3)), jitter: 1) == .resume(after: .zero))
    #expect(machine.fail(error, jitter: 1) == .restart(after: .zero))
    #expect(machine.fail(error, jitter: 1) == .fail)
  }

  @Test(arguments: [
    ToDoError.watchTooSlow(resume: Revision(0)), .revisionCompacted(oldest: Revision(1)), .listReplaced, .storeFull,
    .storeUnavailable(detail: ""),
  ])
  func fail_whenServiceWatchHasNoEvent_fails(_ error: ToDoError) {
    for start in [WatchStart.snapshot, .now, .after(Revision(1))] {
      var machine = WatchResumption(from: start, policy: .service)
      #expect(machine.fail(error, jitter: 1) == .fail)
    }
  }

  @Test(arguments: [lost, RPCError(ToDoError.storeUnavailable(detail: ""))])
  func fail_whenServiceIsUnavailable_fails(_ error: RPCError) {
    var machine = established(policy: .service)
    #expect(machine.fail(error, jitter: 1) == .fail)
  }
}
