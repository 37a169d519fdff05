import TestSupport
import Testing

@testable import ToDoStores

@Suite struct SpaceReserveTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.file("items.sqlite")
  }

  private var isThere: Bool { FileSystem.exists(path + ".reserve") }

  @Test func reserve_whenReleased_isRestoredByLaterCommits() async throws {
    let store = try SQLiteToDoItemStore(path: path, reserve: 1 << 20)
    #expect(isThere)
    await store.releaseReserve()
    #expect(!isThere)
    for number in 0..<64 as Range<UInt64> { try await store.add(.sample(number)) }
    #expect(!isThere)
    try await store.add(.sample(64))
    #expect(isThere)
    await store.close()
    #expect(!isThere)
  }

  @Test func store_withoutReserve_hasNoFile() async throws {
    let store = try SQLiteToDoItemStore(path: path)
    await store.releaseReserve()
    #expect(!isThere)
    await store.close()
  }
}
