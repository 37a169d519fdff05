import Testing
import ToDoModel
import ToDoTestSupport

@Suite struct ItemPositionTests {
  private func deleted(_ number: UInt64, revision: Int64) -> ToDoItem {
    var item = ToDoItem.sample(number)
    item.revision = Revision(revision)
    item.deletion = ToDoItem.Deletion(deletedAt: .sample(), expiresAt: .sample(100))
    return item
  }

  @Test(arguments: ItemOrder.allCases) func position_ofDeletedItem_followsAllOthers(_ order: ItemOrder) {
    let others: [ToDoItem] = [
      .sample(1), .sample(2, completed: 3), .sample(3, due: .time(Timestamp.supportedRange.upperBound)),
      .sample(4, completed: -1_000_000_000_000),
    ]
    let position = ItemPosition(of: deleted(0, revision: .max), in: order)
    #expect(others.allSatisfy { ItemPosition(of: $0, in: order) < position })
  }

  @Test(arguments: ItemOrder.allCases) func positions_ofDeletedItems_startWithLatestDeletion(_ order: ItemOrder) {
    let items = [deleted(1, revision: 3), deleted(3, revision: 2), deleted(2, revision: 2), deleted(4, revision: 1)]
    let positions = items.map { ItemPosition(of: $0, in: order) }
    #expect(positions == positions.sorted())
    #expect(Set(positions).count == 4)
  }
}
