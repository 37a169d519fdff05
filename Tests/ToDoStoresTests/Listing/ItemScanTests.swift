import Testing
import ToDoModel
import ToDoRules

@testable import ToDoStores

@Suite struct ItemScanTests {
  private let id = ItemID(high: 1, low: 2)

  @Test func scans_ofTheFirstPage_startAtTheStartOfEverySection() {
    #expect(scans(.list, .all, after: nil) == [.byDueDate, .byCompletion])
    #expect(scans(.list, .toDo, after: nil) == [.byDueDate])
    #expect(scans(.list, .done, after: nil) == [.byCompletion])
    #expect(scans(.created, .done, after: nil) == [.byCreation(.done)])
    #expect(scans(.updated, .all, after: nil) == [.byUpdate(.all)])
  }

  @Test func scans_afterAPosition_skipEarlierSectionsAndStartLaterOnes() {
    #expect(scans(.list, .all, after: position(0)) == [.byDueDate, .byCompletion])
    #expect(scans(.list, .all, after: position(1)) == [.byCompletion])
    #expect(scans(.list, .all, after: position(2)) == [])
    #expect(scans(.list, .toDo, after: position(1)) == [])
    #expect(scans(.created, .all, after: position(1)) == [])
  }

  @Test(arguments: [
    (ItemOrder.created, Int64(0), ItemScan.Start(primary: 5, id: .at(.init(high: 1, low: 2)))),
    (.created, 1, .init(primary: 5, id: .afterAll)),
    (.created, -1, .init(primary: 5, id: .beforeAll)),
    (.updated, 0, .init(primary: ~5, id: .at(.init(high: ~1, low: ~2)))),
    (.updated, 1, .init(primary: ~5, id: .beforeAll)),
    (.updated, -1, .init(primary: ~5, id: .afterAll)),
    (.list, 7, .init(primary: 5, secondary: 7, id: .at(.init(high: 1, low: 2)))),
  ])
  func start_standsWhereThePositionDoes(_ order: ItemOrder, _ secondary: Int64, _ start: ItemScan.Start) {
    let position = ItemPosition(section: 0, primary: 5, secondary: secondary, tieBreak: id)
    let scans = ItemScan.scans(for: ItemSelection(order: order, after: position, limit: 1))
    #expect(scans.first?.start == start)
  }

  private func scans(_ order: ItemOrder, _ state: ItemState, after: ItemPosition?) -> [ItemScan] {
    ItemScan.scans(for: ItemSelection(state: state, order: order, after: after, limit: 1)).map(\.scan)
  }

  private func position(_ section: UInt8) -> ItemPosition {
    ItemPosition(section: section, primary: 5, secondary: 0, tieBreak: id)
  }
}
