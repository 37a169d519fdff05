#if PostgreSQL
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import ToDoTestSupport
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoPostgreSQLStore

struct CommitResolutionTests {
  private static let changes: [(owner: OwnerID, change: ItemChange)] = ([1, 2] as [UInt64]).map { number in
    var item = ToDoItem.sample(number)
    item.revision = Revision(1)
    return (.local, .put(item, .added))
  }

  private static func resolution(
    _ changes: [(owner: OwnerID, change: ItemChange)] = changes, hasChangedLists: Bool = true,
    timing: StoreTiming = .system
  ) -> CommitResolution {
    CommitResolution(
      evidence: CommitEvidence(
        owners: [.local], fingerprintKey: [], changes: changes, hasChangedLists: hasChangedLists), timing: timing)
  }

  @Test(arguments: [(0, .notCommitted), (1, .unknown), (2, .committed)] as [(Int, CommitResolution.Outcome)])
  func outcome_dependsOnNumberOfExistingChanges(count: Int, outcome: CommitResolution.Outcome) {
    #expect(Self.resolution().outcome(existing: count) == outcome)
  }

  @Test func outcome_whenNoListHasChanged_isNotCommitted() {
    #expect(Self.resolution([], hasChangedLists: false).outcome(existing: 0) == .notCommitted)
  }

  @Test func outcome_whenGroupCompactedItsOwnChanges_isUnknown() {
    #expect(Self.resolution([]).outcome(existing: 0) == .unknown)
  }

  @Test func outcome_whenChangesExist_isCommitted() throws {
    let database = try WriterDatabase()
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    #expect(try Self.resolution().outcome(on: connection) == .notCommitted)
    try database.commit { transaction in
      for number in 1...2 as ClosedRange<UInt64> { try transaction.add(.sample(number)) }
    }
    #expect(try Self.resolution().outcome(on: connection) == .committed)
    #expect(!connection.isInTransaction)
  }

  @Test func outcome_whenAnotherWriteTookRevision_isNotCommitted() throws {
    let database = try WriterDatabase()
    try database.commit { transaction in
      for number in 1...2 as ClosedRange<UInt64> { try transaction.add(.sample(number, created: 99)) }
    }
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    #expect(try Self.resolution().outcome(on: connection) == .notCommitted)
  }

  @Test func outcome_whenEvidenceIsDeletion_comparesMissingCause() throws {
    let database = try WriterDatabase()
    try database.commit { try $0.add(.sample(1)) }
    try database.commit { try $0.delete(.sample(1), at: .sample(5), restorableUntil: nil) }
    let deletion = ItemDeletion(id: .sample(1), wasDone: false, revision: Revision(2), deletedAt: .sample(5))
    let connection = try StoreConnection.open(database.uri, purpose: "test")
    #expect(try Self.resolution([(.local, .deleted(deletion))]).outcome(on: connection) == .committed)
  }

  @Test func resolve_whenNoConnectionCanBeOpened_isUnknownAfterDeadline() {
    let time = ManualTiming()
    var attempts = 0
    let outcome = Self.resolution(timing: time.timing).resolve(until: time.now + .seconds(1)) {
      attempts += 1
      throw PostgreSQLError(.unavailable, message: "no server")
    }
    #expect(outcome == .unknown)
    #expect(attempts == 11)
    #expect(time.passed == .seconds(1))
  }
}
#endif
