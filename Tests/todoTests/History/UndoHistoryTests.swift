import Testing
import ToDoModel

@testable import todo

/// Tests of the choice of revisions, with histories written from the first revision to the latest:
///
///     a     a change of the caller
///     x     a change of another user
///     g     coordinates that the service found
///     t     a program of the caller told of a reminder
///     r3    a reversal of revision 3 by the caller
///     R3    a reversal of revision 3 by another user
///     a/1   a change in run 1 of the program
@Suite struct UndoHistoryTests {
  private func history(_ text: String) -> UndoHistory {
    var history = UndoHistory()
    for (index, word) in text.split(separator: " ").enumerated().reversed() {
      history.add(record(Int64(index + 1), word))
    }
    return history
  }

  private func record(_ revision: Int64, _ word: Substring) -> RevisionRecord {
    var change = RecordedChange(
      item: TestBench.id(1), number: ItemNumber(1), title: "Milk", kind: word == "g" ? .put(.located) : .put(.edited))
    if word == "t" {
      let told = "PT1H acknowledged 2026-05-01T15:00:00Z; P1D 18:00"
      change.fields = [FieldChange(.reminders, from: .text("PT1H; P1D 18:00"), to: .text(told))]
    }
    let parts = word.split(separator: "/")
    let reverted = Int64(parts[0].dropFirst()).map { Revision($0) }
    let client = parts.count > 1 ? UInt32(parts[1]).map { ChangeOrigin.clientName(run: $0, user: "", host: "") } : nil
    return RevisionRecord(
      revision: Revision(revision), time: TestBench.start,
      origin: ChangeOrigin(client: client ?? "", reverted: reverted),
      isOwn: word.first != "x" && word.first != "R", changes: [change], changeCount: 1)
  }

  @Test(
    arguments: [
      ("", []),
      ("a", [1]),
      ("a a a", [3, 2, 1]),
      ("a x a x", [3, 1]),
      ("x", []),
      ("a g", [1]), ("a t t", [1]), ("t", []),
      // An undo, two undos, and a change after an undo.
      ("a a r2", [1]),
      ("a a r2 r1", []),
      ("a a r2 a", [4, 1]),
      // A redo, and an undo of the redone change.
      ("a r1 r2", [1]),
      ("a r1 r2 r1", []),
      ("a r1 r2 r1 r4", [1]),
      ("a a r2 r1 r4", [1]),
      ("a a r2 r1 r4 r3", [2, 1]),
      // An undo in two revisions, and its redo.
      ("a a r2 r2", [1]),
      ("a a r2 r2 r4 r3", [2, 1]),
      // A reversal by another user.
      ("a a R2", [1]),
      ("a x r2", [1]),
    ] as [(String, [Int64])])
  func undoable_isChangesInEffect_latestFirst(_ text: String, _ expected: [Int64]) {
    #expect(history(text).undoable.map { $0.map(\.revision.number) } == expected.map { [$0] })
  }

  @Test(
    arguments: [
      ("a/1 a/1 a/2", [[3], [2, 1]]),
      ("a a/1 x a/1 a", [[5], [4, 2], [1]]),
      ("a/1 a a/1", [[3], [2], [1]]),
      ("a/1 a/1 a/1 r2/2", [[3, 1]]),
    ] as [(String, [[Int64]])])
  func undoable_ofOneRun_isOneElement(_ text: String, _ expected: [[Int64]]) {
    #expect(history(text).undoable.map { $0.map(\.revision.number) } == expected)
  }

  @Test(
    arguments: [
      ("a/1 a/1 r2/2 r1/2", [[4, 3]]),
      ("a a a r3/1 r2/1 r1/2", [[6], [5, 4]]),
      ("a/1 a/1 r2/2 r1/2 r4/3 r3/3", []),
    ] as [(String, [[Int64]])])
  func redoable_ofOneRun_isOneElement(_ text: String, _ expected: [[Int64]]) {
    #expect(history(text).redoable.map { $0.map(\.revision.number) } == expected)
  }

  @Test func clientName_ofRun_isShownWithoutItsMark() {
    let origin = ChangeOrigin(client: ChangeOrigin.clientName(run: 0x3F, user: "ann", host: "laptop"))
    #expect(origin.client == "todo/\(ServiceInfo.currentVersion) #0000003f ann@laptop")
    #expect(origin.run == "#0000003f")
    #expect(origin.clientText == "todo/\(ServiceInfo.currentVersion) ann@laptop")
    #expect(origin.clientIdentity == "todo ann@laptop")
    #expect(origin.maker == "ann@laptop")
    #expect(ChangeOrigin(client: "other #1  client").run == nil)
    #expect(ChangeOrigin(client: "other #1  client").clientText == "other #1  client")
  }

  @Test func clientName_whenUserAndHostAreLong_isWithinItsLimit() {
    let name = ChangeOrigin.clientName(run: 1, user: String(repeating: "ü", count: 40), host: "laptop")
    #expect(name.utf8.count <= ChangeOrigin.clientLimit)
    #expect(ChangeOrigin.client(describedAs: name) == name)
  }

  @Test(arguments: [
    ("todo/0.1.0 #3f2a9100 ann@laptop", "todo ann@laptop"), ("todo/0.2.0 ann@laptop", "todo ann@laptop"),
    ("todo ann@laptop", "todo ann@laptop"), ("todo ann/x@laptop", "todo ann/x@laptop"), ("curl/8", "curl"), ("", ""),
  ])
  func clientIdentity_hasNeitherVersionNorRun(_ client: String, _ expected: String) {
    #expect(ChangeOrigin(client: client).clientIdentity == expected)
  }

  @Test(arguments: [("a a x", [3], [2, 1]), ("x a", nil, [2]), ("x", [1], []), ("x g", [1], []), ("a x r2", nil, [1])])
  func latestOfOthers_isLaterThanOwnChanges(_ text: String, _ others: [Int64]?, _ own: [Int64]) {
    #expect(history(text).latestOfOthers?.map(\.revision.number) == others)
    #expect(history(text).undoable.flatMap { $0 }.map(\.revision.number) == own)
  }

  @Test(
    arguments: [
      ("", []),
      ("a", []),
      ("a r1", [[2]]),
      ("a a r2 r1", [[4], [3]]),
      // A change of the caller ends redoing, and a change of another user or of the service does not.
      ("a r1 a", []),
      ("a r1 a r3", [[4]]),
      ("a r1 x g", [[2]]),
      // A redo cannot be redone.
      ("a r1 r2", []),
      ("a a r2 r1 r4", [[3]]),
      ("a a r2 r1 r4 r3", []),
      ("a r1 r2 r1", [[4]]),
      // Undos in several revisions.
      ("a a r2 r2", [[4, 3]]),
      ("a a r2 r2 r1", [[5], [4, 3]]),
      ("a a r2 r2 r4", [[3]]),
      ("a a r2 x r2", [[5, 3]]),
      // A reversal by another user, and of an own undo by another user.
      ("a R1", []),
      ("a r1 R2", []),
    ] as [(String, [[Int64]])])
  func redoable_isUndosAfterLatestChange_latestFirst(_ text: String, _ expected: [[Int64]]) {
    #expect(history(text).redoable.map { $0.map(\.revision.number) } == expected)
  }

  @Test(arguments: [("", false), ("x", false), ("x r1", false), ("a", true), ("a r1", true)])
  func history_afterOwnChange_isCompleteForRedo(_ text: String, _ expected: Bool) {
    #expect(history(text).isCompleteForRedo == expected)
  }

  @Test(
    arguments: [
      ("PT1H", "PT1H acknowledged 2026-05-01T15:00:00Z", true),
      ("PT1H acknowledged 2026-05-01T15:00:00Z", "PT1H snoozed to 2026-05-01T15:00:00Z", true),
      ("P1D 18:00 Europe/Berlin; PT1H", "P1D 18:00 Europe/Berlin acknowledged 2026-05-01T15:00:00Z; PT1H", true),
      ("…D 18:00; PT1H; PT2H; PT3H…", "…D 18:00 acknowledged 2026-05-01T15:00:00Z; PT1H; P…", true),
      ("…D 18:00; PT1H; PT2H; PT3H…", "…D 18:00; PT1H; PT4H; P…", false),
      ("PT1H", "PT2H acknowledged 2026-05-01T15:00:00Z", false), ("PT1H", "PT1H; PT2H", false), ("PT1H", nil, false),
    ] as [(String, String?, Bool)])
  func change_ofReminderStates_isToldFromThatOfTriggers(_ from: String, _ to: String?, _ isOfStates: Bool) {
    let change = FieldChange(.reminders, from: .text(from), to: to.map { .text($0) })
    #expect(change.isOfReminderStates == isOfStates)
    #expect(!FieldChange(.title, from: .text(from), to: .text(from)).isOfReminderStates)
  }
}
