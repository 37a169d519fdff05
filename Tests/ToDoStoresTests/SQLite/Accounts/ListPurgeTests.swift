import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.timeLimited) struct ListPurgeTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  /// A list with items, history, deleted IDs and a pending lookup; every text in it contains SECRET.
  private func fill(_ list: LocalToDoService) async throws {
    for number in 0..<250 as Range<UInt64> {
      let content = ItemContent(title: "SECRET \(number)", location: Location(address: "SECRET street"))
      _ = try await list.addItem(
        NewItem(id: .sample(number), content: content), options: SaveOptions(savesWithoutCoordinate: true))
    }
    for number in 0..<60 as Range<UInt64> { _ = try await list.checkItem(.sample(number), ifRevision: nil) }
    _ = try await list.deleteItems(.done)
  }

  @Test func purgeList_removesTheListAndLeavesOthersUnchanged() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    let accounts = try SQLiteAccountStore(path: path)
    let list = LocalToDoService(store: store, owner: OwnerID("ann"))
    try await fill(list)
    let revision = try await list.items(ItemQuery()).revision
    let other = try await store.add(.sample(1, title: "Other"), to: OwnerID("bob"))
    let count = try await accounts.purgeList(OwnerID("ann"), rowsPerTransaction: 100, clock: ManualClock())
    // 190 items, 180 changes, 60 deleted IDs.
    #expect(count == 430)
    #expect(try await list.items(ItemQuery()).items == [])
    #expect(try await list.items(ItemQuery()).revision > revision)
    #expect(try await store.item(.sample(1), of: OwnerID("bob")) == other)
    accounts.close()
    await store.close()
    #expect(try DatabaseCheck(path: path).run().problems == [])
    for file in try directory.files {
      let bytes = try Data(contentsOf: URL(filePath: directory.file(file)))
      #expect(bytes.range(of: Data("SECRET".utf8)) == nil, "\(file)")
    }
  }

  @Test func purgeList_whenListIsUnknown_doesNothing() async throws {
    let accounts = try SQLiteAccountStore(path: path, createsIfMissing: true)
    #expect(try await accounts.purgeList(OwnerID("ann")) == 0)
    accounts.close()
  }
}
