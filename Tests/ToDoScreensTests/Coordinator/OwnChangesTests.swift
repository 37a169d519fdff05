import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoScreens

@Suite struct OwnChangesTests {
  private let milk = ToDoItem.listed(1, "Milk")
  private let rent = ToDoItem.listed(2, "Rent")

  /// Presses space on the selected item, and returns the service's response and event.
  private func check(_ item: ToDoItem, in bench: inout CoordinatorBench) {
    bench.press(.character(" "))
    #expect(bench.effects == [.check(item.id)])
    bench.send(.result(.changed(item.id, .checked, .success(Revision(bench.revision + 1)))))
    var done = item
    done.completedAt = Sample.start
    bench.put(done, .checked)
  }

  @Test func undo_afterDeletion_revertsItsRevision() {
    var bench = CoordinatorBench([milk, rent])
    bench.press(.character("d"))
    #expect(bench.effects == [.delete(milk.id)])
    bench.delete(milk.id)
    bench.send(.result(.changed(milk.id, .deleted, .success(Revision(2)))))
    #expect(bench.statusLine.hasPrefix("deleted 'Milk' · u undo"))
    bench.press(.down)
    #expect(bench.statusLine.contains("u undo: deleted 'Milk'"))
    bench.press(.character("u"))
    #expect(bench.effects == [.revert(Revision(2))])
    bench.send(.result(.reverted(.success(Reversal(revision: Revision(3), revertedCount: 1)))))
    bench.put(milk, .restored)
    #expect(bench.statusLine.hasPrefix("undone: deleted 'Milk' · "))
    bench.press(.character("u"))
    #expect(bench.effects == [])
    #expect(bench.statusLine.hasPrefix("nothing was changed here that can be undone"))
  }

  @Test func undo_ofSeveralChanges_revertsThemInReverse() {
    var bench = CoordinatorBench([milk, rent])
    check(milk, in: &bench)
    check(rent, in: &bench)
    bench.press(.character("u"))
    #expect(bench.effects == [.revert(Revision(3))])
    bench.press(.character("u"))
    #expect(bench.effects == [], "the reversal is in progress")
    bench.send(.result(.reverted(.success(Reversal(revision: Revision(4), revertedCount: 1)))))
    bench.press(.character("u"))
    #expect(bench.effects == [.revert(Revision(2))])
  }

  @Test func offer_whenItemChangesElsewhere_ends() {
    var bench = CoordinatorBench([milk, rent])
    check(milk, in: &bench)
    bench.press(.down)
    #expect(bench.statusLine.contains("u undo: checked 'Milk'"))
    bench.put(rent)
    #expect(bench.statusLine.contains("u undo: checked 'Milk'"))
    bench.put(milk)
    #expect(!bench.statusLine.contains("undo"))
  }

  @Test func deletionOfMany_isUndoneAtOnce() {
    var bench = CoordinatorBench([milk, rent])
    bench.press(.character("D"), .character("y"))
    #expect(bench.effects == [.deleteAll(.all)])
    bench.send(.result(.deletedAll(.all, .success(BulkDeletionResult(deletedCount: 2, revision: Revision(2))))))
    for item in [milk, rent] { bench.delete(item.id) }
    #expect(bench.statusLine.hasPrefix("deleted 2 items · u undo"))
    bench.press(.character("u"))
    #expect(bench.effects == [.revert(Revision(2))])
    bench.send(
      .result(.reverted(.success(Reversal(revision: Revision(4), revertedCount: 1, refusedCount: 1)))))
    #expect(bench.statusLine.hasPrefix("undone: deleted 2 items, except 1 item that has changed since"))
  }

  @Test func deletionOfMany_whenItFails_isReported() {
    var bench = CoordinatorBench([milk])
    bench.send(.result(.deletedAll(.all, .failure(EffectFailure(kind: .other, message: "the disk is full")))))
    #expect(bench.statusLine.hasPrefix("the disk is full"))
    bench.press(.character("u"))
    #expect(bench.effects == [])
  }

  @Test func deletionOfNothing_cannotBeUndone() {
    var bench = CoordinatorBench([milk])
    bench.send(.result(.deletedAll(.done, .success(BulkDeletionResult(deletedCount: 0, revision: Revision(1))))))
    #expect(bench.statusLine.hasPrefix("nothing was deleted"))
    bench.press(.character("u"))
    #expect(bench.effects == [])
  }

  @Test func change_whenItHasNoEffect_cannotBeUndone() {
    var bench = CoordinatorBench([milk])
    bench.press(.character(" "))
    bench.send(.result(.changed(milk.id, .checked, .success(Revision(1)))))
    bench.press(.character("u"))
    #expect(bench.effects == [])
  }

  @Test func undo_whenRefused_reportsReason() {
    var bench = CoordinatorBench([milk])
    check(milk, in: &bench)
    bench.press(.character("u"))
    bench.send(.result(.reverted(.success(Reversal(revision: Revision(2), refusedCount: 1)))))
    #expect(bench.statusLine.hasPrefix("not undone: checked 'Milk'; the item has changed since"))
  }

  @Test func undo_whenItFails_canBeRepeated() {
    var bench = CoordinatorBench([milk])
    check(milk, in: &bench)
    bench.press(.character("u"))
    bench.send(.result(.reverted(.failure(EffectFailure(kind: .unreachable, message: "the server is away")))))
    #expect(bench.statusLine.hasPrefix("the server is away"))
    bench.press(.character("u"))
    #expect(bench.effects == [.revert(Revision(2))])
  }
}
