import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

/// The rows that compaction leaves in the tables. `StoreContract` tests its effect on the feed.
@Suite(.unitTimeLimited) struct SQLiteCompactionTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  @Test func add_whenItemIsNew_writesNoPastChange() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await store.write(.local) { transaction in
      for number in 0..<100 as Range<UInt64> { try transaction.add(.sample(number)) }
    }
    #expect(try pastChangeCount() == 0)
    try await store.write(.local) { try $0.delete(.sample(5), at: .sample(), restorableUntil: nil) }
    #expect(try pastChangeCount() == 2)
    await store.close()
  }

  @Test func compact_whenManyRowsAreObsolete_removesABoundedNumber() async throws {
    let store = try SQLiteToDoItemStore(path: path, retention: ChangeRetention(age: .zero, count: 1))
    try await store.write(.local) { transaction in
      for number in 0..<3000 as Range<UInt64> { try transaction.add(.sample(number)) }
    }
    _ = try await store.write(.local) { try $0.delete(.all, at: .sample(), restorableUntil: nil) }
    // The deletions are the last change, which is retained with the items that it deleted.
    #expect(try pastChangeCount() == 6000)
    var counts: [Int] = []
    for number in 0..<400 as Range<UInt64> {
      try await store.add(.sample(1_000_000 + number))
      if try pastChangeCount() != counts.last ?? 6000 { counts.append(try pastChangeCount()) }
    }
    #expect(counts == [4976, 3952, 2928, 1904, 880, 0])
    await store.close()
  }

  @Test func compact_whenBacklogExists_removesRowsAsFastAsTheyAreAdded() async throws {
    let store = try SQLiteToDoItemStore(path: path, retention: ChangeRetention(age: .zero, count: 1))
    var highest = 0
    for round in 0..<20 as Range<UInt64> {
      try await store.write(.local) { transaction in
        for number in 0..<500 as Range<UInt64> { try transaction.add(.sample(round * 1000 + number)) }
      }
      _ = try await store.write(.local) { try $0.delete(.all, at: .sample(), restorableUntil: nil) }
      highest = max(highest, try pastChangeCount())
    }
    #expect(highest <= 1000)
    await store.close()
  }

  @Test func update_whenFormerStateIsCompacted_retainsItForReverting() async throws {
    let store = try SQLiteToDoItemStore(path: path, retention: ChangeRetention(age: .zero, count: 1))
    try await store.write(.local) { transaction in
      for number in 0..<100 as Range<UInt64> { try transaction.add(.sample(number)) }
    }
    for number in 0..<64 as Range<UInt64> { try await store.add(.sample(1000 + number)) }
    #expect(try await store.changes(after: 63).first?.revision == Revision(64))
    try await store.write(.local) { _ = try $0.replace(.sample(5, title: "Other")) }
    #expect(try pastChangeCount() == 1)
    await store.close()
  }

  private func pastChangeCount() throws -> Int {
    let other = try SQLiteConnection(path: path)
    let count = Int(try other.number("SELECT count(*) FROM past_change") ?? 0)
    try other.close()
    return count
  }
}
