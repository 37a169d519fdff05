import TTRPC
import Testing
import ToDoModel
import ToDoProtocol

@testable import ToDoClient

/// Every message and every failure at every point of a watch.
@Suite struct WatchResumptionTests {
  private static let lost = RPCError.unavailable("the connection was closed", isUnsent: false)
  private static let item = ToDoItem(
    id: ItemID(high: 1, low: 1), content: ItemContent(title: "Milk"), createdAt: Timestamp(microseconds: 0),
    updatedAt: Timestamp(microseconds: 0), revision: Revision(3))

  private static func deletions(_ revision: Int64, _ numbers: ClosedRange<UInt64>) -> ChangeSet {
    ChangeSet(
      revision: Revision(revision),
      changes: numbers.map {
        .deleted(
          ItemDeletion(
            id: ItemID(high: 0, low: $0), wasDone: true, revision: Revision(revision),
            deletedAt: Timestamp(microseconds: 0)))
      })
  }

  private func established(after revision: Int64 = 3) -> WatchResumption {
    var machine = WatchResumption(from: .now)
    _ = machine.receive(.progress(Revision(revision)))
    return machine
  }

  // MARK: Messages

  @Test func aWatchFromNow_resumesAfterItsFirstProgress() {
    let machine = established(after: 3)
    #expect(machine.start == .after(Revision(3)))
    #expect(machine.isEstablished)
  }

  @Test func changes_areToldAndResumedAfter() {
    var machine = established()
    let set = Self.deletions(4, 1...2)
    #expect(machine.receive(.changes(set, moreFollow: false)) == .changes(set))
    #expect(machine.start == .after(Revision(4)))
  }

  @Test func aRevisionInParts_isToldWhenItsLastHasCome() {
    var machine = established()
    #expect(machine.receive(.changes(Self.deletions(4, 1...2), moreFollow: true)) == nil)
    #expect(machine.start == .after(Revision(3)))
    #expect(
      machine.receive(.changes(Self.deletions(4, 3...4), moreFollow: false)) == .changes(Self.deletions(4, 1...4)))
    #expect(machine.start == .after(Revision(4)))
  }

  @Test func resumption_namesTheIncarnationThatTheLastMessageHad() throws {
    let list = ListIncarnation.random()
    func incarnation(_ machine: WatchResumption) -> ListIncarnation? {
      if case .after(let revision) = machine.start { revision.incarnation } else { nil }
    }
    for message in [WatchMessage.progress(Revision(3, of: list)), .snapshotEnd(Revision(3, of: list))] {
      var machine = WatchResumption(from: .snapshot)
      _ = machine.receive(message)
      #expect(incarnation(machine) == list)
      _ = machine.receive(.changes(Self.deletions(4, 1...2), moreFollow: false))
      #expect(machine.start == .after(Revision(4)))
      #expect(incarnation(machine) == list)
    }
    var machine = WatchResumption(from: .after(Revision(3, of: list)))
    _ = machine.receive(.changes(Self.deletions(4, 1...2), moreFollow: false))
    #expect(incarnation(machine) == list)
  }

  @Test func watch_whenItsListWasReplaced_startsAgainWithASnapshot() {
    var machine = established()
    #expect(machine.fail(RPCError(ToDoError.listReplaced)) == .restart)
    #expect(machine.start == .snapshot)
    var first = WatchResumption(from: .after(Revision(3)))
    #expect(first.fail(RPCError(ToDoError.listReplaced)) == .fail)
  }

  @Test func aPartOfARevision_isForgottenWithItsStream() {
    var machine = established()
    _ = machine.receive(.changes(Self.deletions(4, 1...2), moreFollow: true))
    #expect(machine.fail(Self.lost) == .retry)
    #expect(machine.start == .after(Revision(3)))
    let set = Self.deletions(4, 1...4)
    #expect(machine.receive(.changes(set, moreFollow: false)) == .changes(set))
  }

  @Test func aSnapshot_isResumedAfterItsEnd() {
    var machine = WatchResumption(from: .snapshot)
    #expect(machine.receive(.snapshotPage([Self.item])) == .snapshotPage([Self.item]))
    #expect(machine.start == .snapshot)
    #expect(machine.receive(.snapshotEnd(Revision(9))) == .snapshotEnd(Revision(9)))
    #expect(machine.start == .after(Revision(9)))
  }

  @Test func whatALaterVersionTells_isSkipped_butItsRevisionCounts() {
    var machine = established()
    #expect(machine.receive(.unknown) == nil)
    let empty = ChangeSet(revision: Revision(4), changes: [])
    #expect(machine.receive(.changes(empty, moreFollow: false)) == .progress(Revision(4)))
    #expect(machine.start == .after(Revision(4)))
  }

  // MARK: Failures

  @Test(arguments: [
    lost, .shuttingDown, RPCError(ToDoError.watchTooSlow(resume: Revision(3))),
    RPCError(ToDoError.storeUnavailable(detail: "")),
  ])
  func whatPasses_isTriedAgain_fromTheLastEvent(_ error: RPCError) {
    var machine = established(after: 3)
    #expect(machine.fail(error) == .retry)
    #expect(machine.start == .after(Revision(3)))
  }

  @Test(arguments: [ToDoError.revisionCompacted(oldest: Revision(7)), .revisionInFuture(current: Revision(1))])
  func aRevisionThatIsGone_isReplacedByASnapshot_onceEstablished(_ error: ToDoError) {
    var machine = established()
    #expect(machine.fail(RPCError(error)) == .restart)
    #expect(machine.start == .snapshot)
    var fresh = WatchResumption(from: .after(Revision(1)))
    #expect(fresh.fail(RPCError(error)) == .fail)
  }

  @Test func aSnapshotThatBreaksOff_isVoid() {
    var machine = WatchResumption(from: .snapshot)
    _ = machine.receive(.snapshotPage([Self.item]))
    #expect(machine.fail(Self.lost) == .restart)
    #expect(machine.start == .snapshot)
    // Nothing of the next was told yet.
    #expect(machine.fail(Self.lost) == .retry)
  }

  @Test(arguments: [
    RPCError(ToDoError.invalidRequest([])), .unimplemented(service: "s", method: "m"), .internal,
    RPCError(.permissionDenied, reason: "", domain: "", ""),
  ])
  func whatStays_isToldTheConsumer(_ error: RPCError) {
    var machine = established()
    #expect(machine.fail(error) == .fail)
  }

  @Test func errorsOfNoConnection_areToldTheConsumer() {
    var machine = established()
    #expect(machine.fail(CancellationError()) == .fail)
  }
}
