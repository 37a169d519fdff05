#if PostgreSQL
import Testing
import ToDoModel
import ToDoStores

@testable import ToDoPostgreSQLStore

struct ScanKeyTests {
  private let id = ItemID(high: 3, low: 4)

  @Test func key_ofID_isTheStart() {
    let start = ItemScan.Start(primary: 5, secondary: 6, id: .at(id))
    #expect(ScanKey(start, of: .byDueDate) == ScanKey(primary: 5, secondary: 6, id: id))
  }

  @Test func key_ofForwardScan_excludesTheRowsUpToTheStart() {
    let after = ItemScan.Start(primary: 5, secondary: 6, id: .afterAll)
    #expect(ScanKey(after, of: .byDueDate) == ScanKey(primary: 5, secondary: 6, id: .last))
    let before = ItemScan.Start(primary: 5, secondary: 6, id: .beforeAll)
    #expect(ScanKey(before, of: .byDueDate) == ScanKey(primary: 5, secondary: 5, id: .last))
    let first = ItemScan.Start(primary: 5, secondary: .min, id: .beforeAll)
    #expect(ScanKey(first, of: .byDueDate) == ScanKey(primary: 4, secondary: .max, id: .last))
    #expect(ScanKey(before, of: .byCreation(.all)).primary == 4)
  }

  @Test func key_ofBackwardScan_excludesTheRowsFromTheStartOn() {
    let before = ItemScan.Start(primary: 5, id: .beforeAll)
    #expect(ScanKey(before, of: .byCompletion) == ScanKey(primary: 5, id: .first))
    let after = ItemScan.Start(primary: 5, id: .afterAll)
    #expect(ScanKey(after, of: .byCompletion) == ScanKey(primary: 6, id: .first))
  }

  @Test func key_ofExtremeNumbers_doesNotOverflow() {
    let last = ItemScan.Start(primary: .max, id: .afterAll)
    #expect(ScanKey(last, of: .byUpdate(.all)) == ScanKey(primary: .max, id: .last))
    let first = ItemScan.Start(primary: .min, secondary: .min, id: .beforeAll)
    for scan in [ItemScan.byDueDate, .byCreation(.all)] {
      #expect(ScanKey(first, of: scan) == ScanKey(primary: .min, secondary: .min, id: .first))
    }
  }

  @Test func chunkSize_startsWithTheLimitAndGrowsWithinBounds() {
    var chunk = ChunkSize(limit: 100)
    #expect(chunk.rows == 101)
    chunk.adapt(toRows: 101, bytes: 10_000)
    #expect(chunk.rows == 404)
    chunk.adapt(toRows: 404, bytes: 40_000)
    #expect(chunk.rows == 1000)
    chunk.adapt(toRows: 1000, bytes: 64 << 20)
    #expect(chunk.rows == 62)
    chunk.adapt(toRows: 1, bytes: 1 << 30)
    #expect(chunk.rows == 16)
    #expect(ChunkSize(limit: .max).rows == ChunkSize.first)
  }
}
#endif
