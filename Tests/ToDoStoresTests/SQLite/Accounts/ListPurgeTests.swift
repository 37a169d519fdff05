import Foundation
import Synchronization
import Testing
import ToDoModel
import ToDoRules
import ToDoSQLite
import ToDoTestSupport

@testable import ToDoStores

@Suite(.unitTimeLimited) struct ListPurgeTests {
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
    // The log too is clean before it is closed.
    try expectNoSecret()
    accounts.close()
    await store.close()
    #expect(try DatabaseCheck(path: path).run().problems == [])
    try expectNoSecret()
  }

  private func expectNoSecret() throws {
    for file in try directory.files {
      let bytes = try Data(contentsOf: URL(filePath: directory.file(file)))
      #expect(bytes.range(of: Data("SECRET".utf8)) == nil, "\(file)")
    }
  }

  @Test func purgeList_whenLogIsLong_movesItMeanwhile() async throws {
    var file = DatabaseFile(path: path)
    let store = try SQLiteToDoItemStore(file)
    try await fill(LocalToDoService(store: store, owner: OwnerID("ann")))
    await store.close()
    file.logLength = 20
    let accounts = try SQLiteAccountStore(file, createsIfMissing: false)
    let reader = try file.openForReading()
    _ = try reader.number("SELECT count(*) FROM owner")
    let index = try LogIndex(reader)
    let peak = Mutex(0)
    let clock = ObservingClock { peak.withLock { $0 = max($0, index.log.length) } }
    #expect(try await accounts.purgeList(OwnerID("ann"), rowsPerTransaction: 10, clock: clock) == 430)
    #expect((20..<60).contains(peak.withLock(\.self)))
    accounts.close()
  }

  @Test func purgeList_whileAReaderNeedsTheLog_cleansItAfterwards() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    try await fill(LocalToDoService(store: store, owner: OwnerID("ann")))
    await store.close()
    let reader = try DatabaseFile(path: path).openForReading()
    try reader.execute("BEGIN; SELECT count(*) FROM owner")
    let accounts = try SQLiteAccountStore(path: path)
    let clock = ManualClock()
    async let count = accounts.purgeList(OwnerID("ann"), rowsPerTransaction: 100, clock: clock)
    await clock.waitForSleepers()
    try reader.execute("COMMIT")
    clock.advance(by: .milliseconds(100))
    #expect(try await count == 430)
    try expectNoSecret()
    accounts.close()
  }

  @Test func purgeList_whenListIsUnknown_doesNothing() async throws {
    let accounts = try SQLiteAccountStore(path: path, createsIfMissing: true)
    #expect(try await accounts.purgeList(OwnerID("ann")) == 0)
    accounts.close()
  }
}

/// A clock that stands still, and runs code before and after each step that it measures.
private struct ObservingClock: Clock {
  let observe: @Sendable () -> Void
  private let clock = ManualClock()

  init(_ observe: @escaping @Sendable () -> Void) { self.observe = observe }

  var now: ManualClock.Instant {
    observe()
    return clock.now
  }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
